/** For a class: a case's results stay hidden until somebody has said what they expect. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { times } from "./format.ts";

export function Guessing({ on, change }: { on: boolean; change(on: boolean): void }) {
  return (
    <button type="button" class="chip" aria-pressed={on} onClick={() => change(!on)}>
      guess first
    </button>
  );
}

interface Gate {
  on: boolean;
  title: string;
  /** What there is to be guessed. */
  average: number | null;
  children: ComponentChildren;
}

export function GuessGate({ on, title, average, children }: Gate) {
  const [guess, setGuess] = useState<number | null>(null);
  if (!on || average === null) return <>{children}</>;
  if (guess === null) return <Question title={title} answer={setGuess} />;
  return (
    <>
      <p class="guess">
        You said {times(guess)}; measured {times(average)}: {judgementOf(guess, average)}
      </p>
      {children}
    </>
  );
}

function judgementOf(guess: number, average: number): string {
  if (guess > 1 !== average > 1 && Math.abs(average - 1) > 0.02) return "the other way round.";
  const off = Math.abs(Math.log(guess / average));
  return off < 0.05 ? "well guessed." : guess > average ? "less than you thought." : "more than you thought.";
}

function Question({ title, answer }: { title: string; answer(guess: number): void }) {
  const submit = (event: Event) => {
    event.preventDefault();
    const guess = Number(new FormData(event.currentTarget as HTMLFormElement).get("guess"));
    if (guess > 0) answer(guess);
  };
  return (
    <section class="case">
      <h2>{title}</h2>
      <form class="question" onSubmit={submit}>
        <label>
          How many times as fast, on average?{" "}
          <input name="guess" type="number" min="0.1" max="20" step="0.05" required />
        </label>
        <button type="submit" class="chip">
          show
        </button>
      </form>
    </section>
  );
}
