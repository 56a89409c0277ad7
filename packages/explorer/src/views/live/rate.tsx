/** The rows that came in each second of the last minute. */
import { useEffect, useState } from "preact/hooks";
import type { Arrival } from "../../page/live.js";
import { count, counted } from "../../parts/text.js";
import { utcClock, utcToSecond } from "../../parts/time.js";

const SECONDS = 60;
/** Pixels of the highest bar. */
const HEIGHT = 46;

export function Rate({ arrivals, isRunning }: { arrivals: readonly Arrival[]; isRunning: boolean }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const seconds = new Array<number>(SECONDS).fill(0);
  for (const { at, rows } of arrivals) {
    const second = SECONDS - 1 - Math.max(0, Math.floor((now - at) / 1_000));
    if (second >= 0) seconds[second] = (seconds[second] as number) + rows;
  }
  const most = Math.max(...seconds);
  const total = seconds.reduce((sum, rows) => sum + rows, 0);
  return (
    <div class="rate">
      <p class="rate-words">
        <b>{count(seconds[SECONDS - 1] as number)}</b>{" "}
        <span class="quiet">
          {(seconds[SECONDS - 1] as number) === 1 ? "row" : "rows"} in the last second, at most {count(most)}{" "}
          a second in the last minute
        </span>
      </p>
      <svg
        role="img"
        aria-label={`${counted(total, "row")} in the last minute, at most ${count(most)} a second`}
      >
        <line x1="0" x2="100%" y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
        {seconds.map((rows, second) => {
          const height = rows === 0 ? 0 : Math.max(1, (HEIGHT * rows) / most);
          return (
            <rect
              key={second}
              x={`${(100 * second) / SECONDS}%`}
              y={HEIGHT - height}
              width={`${85 / SECONDS}%`}
              height={height}
            />
          );
        })}
      </svg>
      <div class="rowflex quiet rate-times">
        <span>{utcToSecond(now - 1_000 * SECONDS)}</span>
        <span>{utcClock(now)} UTC</span>
      </div>
    </div>
  );
}
