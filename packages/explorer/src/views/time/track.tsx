/** One line of marks at the places at which something happened, and hatches where nothing is known. */
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

/** A stretch of which nothing is known, with its name where there is room. */
function Hatch({ from, to, words }: Stretch) {
  return (
    <span class="hatch" title={words} style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}>
      <span>{words}</span>
    </span>
  );
}
