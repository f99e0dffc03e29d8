/** The lab's hosts and the link between them. */
import type { LabView } from "../data/model.ts";

const [boxWidth, boxHeight, step] = [150, 34, 44];

export function Topology({ hosts }: Pick<LabView, "hosts">) {
  const height = Math.max(1, hosts.length) * step;
  const middle = height / 2;
  const [left, router, right] = [0, 255, 510];
  return (
    <div class="scroller">
      <svg
        width={right + boxWidth}
        height={height}
        viewBox={`0 0 ${right + boxWidth} ${height}`}
        role="img"
        aria-label="Browser, shaper and servers"
        font-size="12"
      >
        <line x1={left + boxWidth} x2={router} y1={middle} y2={middle} stroke="var(--quiet)" />
        <Box x={left} y={middle} words="browser" below="client" />
        <Box x={router} y={middle} words="shaper" below="loss, delay, queue, rate" />
        {hosts.map(({ name, address }, i) => {
          const y = i * step + step / 2;
          return (
            <g key={name}>
              <path
                d={`M${router + boxWidth},${middle} C${router + boxWidth + 60},${middle} ${right - 60},${y} ${right},${y}`}
                fill="none"
                stroke="var(--quiet)"
              />
              <Box x={right} y={y} words={name} below={address} />
            </g>
          );
        })}
      </svg>
    </div>
  );
}

const Box = ({ x, y, words, below }: { x: number; y: number; words: string; below: string }) => (
  <g transform={`translate(${x},${y - boxHeight / 2})`}>
    <rect width={boxWidth} height={boxHeight} rx={4} fill="var(--page)" stroke="var(--line)" />
    <text x={boxWidth / 2} y={14} text-anchor="middle" font-weight="600">
      {words}
    </text>
    <text x={boxWidth / 2} y={28} text-anchor="middle">
      {below}
    </text>
  </g>
);
