/** Light, dark, or as the system has it; remembered where the browser lets a page remember. */
import { useState } from "preact/hooks";

const themes = ["auto", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const key = "pageload-lab-theme";

function remembered(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? "auto";
  } catch {
    return "auto";
  }
}

function apply(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // it holds for this visit
  }
}
apply(remembered());

export function ThemeSwitch() {
  const [theme, setTheme] = useState(remembered);
  const choose = (chosen: Theme) => {
    apply(chosen);
    setTheme(chosen);
  };
  return (
    <fieldset class="choice theme" aria-label="Colours">
      {themes.map((one) => (
        <button key={one} type="button" aria-pressed={one === theme} onClick={() => choose(one)}>
          {one}
        </button>
      ))}
    </fieldset>
  );
}
