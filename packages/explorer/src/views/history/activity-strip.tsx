/** The activity over time, as bars by author. Dragging or arrow keys select a time. */
import { useRef, useState } from "preact/hooks";
import { utc, utcClock, utcDate } from "../../parts/time.js";
import type { Activity } from "../../worker/history/activity.js";

/** The strip in its own units. */
const [WIDTH, HEIGHT, GROUND] = [1000, 40, 36];
/** The number of arrow-key steps over the whole span. */
const STEPS = 40;

/** The strip. */
export function ActivityStrip({
  activity: { from, to, counts },
  goTo,
}: {
  activity: Activity;
  /** Shows the row of a time, in milliseconds since 1970. */
  goTo: (time: number) => void;
}) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const isDragged = useRef(false);
  const spans = counts.length / 6;
  const sums = Array.from({ length: spans }, (_, span) => sumOf(counts, spans, span));
  const most = Math.max(1, ...sums);
  const bars: { colour: number; x: number; y: number; height: number }[] = [];
  for (let span = 0; span < spans; span++) {
    let y = GROUND;
    for (let colour = 1; colour <= 6; colour++) {
      const rows = counts[(colour - 1) * spans + span] as number;
      if (rows === 0) continue;
      const height = Math.max(1, (rows / most) * (GROUND - 4));
      y -= height;
      bars.push({ colour, x: (span * WIDTH) / spans, y, height });
    }
  }
  const go = (time: number): void => {
    const bounded = Math.max(from, Math.min(to, time));
    setAt(bounded);
    goTo(bounded);
  };
  const pointed = (event: PointerEvent): void => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    go(from + ((event.clientX - left) / width) * (to - from));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = (to - from) / STEPS;
    const now = at ?? to;
    const times: Readonly<Record<string, number>> = {
      ArrowLeft: now - step,
      ArrowDown: now - step,
      ArrowRight: now + step,
      ArrowUp: now + step,
      Home: from,
      End: to,
    };
    const time = times[event.key];
    if (time === undefined) return;
    event.preventDefault();
    go(time);
  };
  const isOneDay = utcDate(from) === utcDate(to);
  const shown = (time: number): string => (isOneDay ? utcClock(time) : utc(time).slice(0, 16));
  return (
    <div class="activity">
      <div
        class="activity-bars"
        role="slider"
        tabIndex={0}
        aria-label="Time, from the oldest to the newest"
        aria-valuemin={from}
        aria-valuemax={to}
        aria-valuenow={at ?? to}
        aria-valuetext={`${utc(at ?? to)} UTC`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          isDragged.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          pointed(event);
        }}
        onPointerMove={(event) => isDragged.current && pointed(event)}
        onPointerUp={() => {
          isDragged.current = false;
        }}
      >
        <svg class="strip" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <line x1="0" x2={WIDTH} y1={GROUND + 0.5} y2={GROUND + 0.5} />
          {bars.map(({ colour, x, y, height }) => (
            <rect
              key={`${colour} ${x}`}
              class={`au-${colour}`}
              x={x}
              y={y}
              width={WIDTH / spans - 0.6}
              height={height}
            />
          ))}
          {at !== undefined && (
            <line class="at" x1={xOf(at, from, to)} x2={xOf(at, from, to)} y1="0" y2={HEIGHT} />
          )}
        </svg>
      </div>
      <div class="rowflex quiet num strip-times">
        <span>
          {isOneDay && utcDate(from)} {shown(from)}
        </span>
        <span>{shown((from + to) / 2)}</span>
        <span>{shown(to)} UTC</span>
      </div>
    </div>
  );
}

function sumOf(counts: Uint32Array, spans: number, span: number): number {
  let sum = 0;
  for (let colour = 0; colour < 6; colour++) sum += counts[colour * spans + span] as number;
  return sum;
}

function xOf(time: number, from: number, to: number): number {
  return to === from ? 0 : ((time - from) / (to - from)) * WIDTH;
}
