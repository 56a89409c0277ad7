/** One line of marks at the places of positions, with hatches for unknown stretches. */
import type { Stretch, ticksOf } from "./axis.js";

export function Track({
  ticks,
  stretches,
}: {
  ticks: ReturnType<typeof ticksOf>;
  stretches: readonly Stretch[];
}) {
  return (
    <>
      {stretches.map((stretch) => (
        <Hatch key={stretch.from} {...stretch} />
      ))}
      {ticks.map(([at, colour]) => (
        <i key={at} class={`au-${colour}`} style={{ left: `${at * 100}%` }} />
      ))}
    </>
  );
}

/** An unknown stretch, with its name if there is room. */
function Hatch({ from, to, words }: Stretch) {
  return (
    <span class="hatch" title={words} style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}>
      <span>{words}</span>
    </span>
  );
}
