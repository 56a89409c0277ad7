/** The history by author over time, and a line at the present moment. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { database } from "../../page/session.js";
import type { Track as NodeTrack } from "../../page/worker-client.js";
import { Icon } from "../../parts/icon.js";
import { Author } from "../../parts/marks.js";
import { count, counted, Text } from "../../parts/text.js";
import { utc, utcDate, utcTime } from "../../parts/time.js";
import { Name } from "../../parts/words.js";
import { type Axis, axisOf, barsOf, FORK, type Shape, stretchesOf, ticksOf } from "./axis.js";
import { Track } from "./track.js";
import { Tracks } from "./tracks.js";

/** The height of the bars. */
const HEIGHT = 60;
/** Milliseconds of a step while the history plays. */
const STEP = 83;
/** Positions of Page Up and Page Down. */
const PAGE = 10;

export function Line({
  shape,
  tracks,
  position,
  pin,
  kind,
  entries,
  what,
  to,
  onPin,
}: {
  shape: Shape;
  /** The same history on other nodes. */
  tracks: readonly NodeTrack[];
  position: number;
  pin: number | undefined;
  /** A delta or an operation. */
  kind: string;
  /** The number of entries there; undefined until it is known. */
  entries: number | undefined;
  what: string;
  to: (position: number | string) => void;
  onPin: () => void;
}) {
  const { size, marks, isJoined } = shape;
  const least = isJoined ? 0 : 1;
  const axis = useMemo(() => axisOf(shape), [shape]);
  const stretches = useMemo(() => stretchesOf(shape, axis), [shape]);
  // A step draws the line alone.
  const picture = useMemo(() => <Bars bars={barsOf(shape, axis)} />, [shape]);
  const marked = useMemo(() => <Track ticks={ticksOf(shape, axis)} stretches={stretches} />, [shape]);
  const others = axis.isTimed ? tracks : [];
  const beside = useMemo(() => <Tracks tracks={others} shape={shape} axis={axis} />, [shape, tracks]);
  const legend = useMemo(() => <Legend shape={shape} />, [shape]);
  const rail = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLDivElement>(null);
  const isDragged = useRef(false);
  const play = usePlay({ position, least, size, to });
  const pointed = ({ clientX }: PointerEvent): void => {
    const box = rail.current?.getBoundingClientRect();
    if (box) to(axis.nearest(Math.max(0, Math.min(1, (clientX - box.left) / box.width))));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = (
      { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 } as Readonly<Record<string, number>>
    )[event.key];
    const goTo = (
      { PageDown: position - PAGE, PageUp: position + PAGE, Home: least, End: size } as Readonly<
        Record<string, number>
      >
    )[event.key];
    if (way !== undefined)
      event.shiftKey ? to(nextFork(marks, position, way) ?? (way < 0 ? least : size)) : play.step(way);
    else if (goTo !== undefined) to(Math.max(least, Math.min(size, goTo)));
    else if (event.key === " ") play.toggle();
    else return;
    event.preventDefault();
  };
  const time = position === 0 ? undefined : shape.times[position - 1];
  const label =
    time === undefined || Number.isNaN(time) || !axis.isTimed ? `${kind} ${count(position)}` : utcTime(time);
  const x = axis.x(position);
  return (
    <section class="panel tms" aria-label="Moment">
      <div
        class="strips"
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          isDragged.current = true;
          event.currentTarget.setPointerCapture(event.pointerId);
          slider.current?.focus({ preventScroll: true });
          pointed(event);
        }}
        onPointerMove={(event) => isDragged.current && pointed(event)}
        onPointerUp={() => {
          isDragged.current = false;
        }}
      >
        <div class="trk big">
          <span class="tl">
            <b>{kind === "delta" ? "Deltas" : "Operations"}</b> <span class="quiet">by author</span>
          </span>
          {picture}
        </div>
        <div class="trk">
          <span class="tl">
            <b>{others.length > 0 ? <Text value={database.value?.name ?? ""} most={40} /> : "here"}</b>{" "}
            <span class="quiet">
              {others.length > 0 ? "this node" : stretches.length > 0 ? "with gaps" : "all of them"}
            </span>
          </span>
          <span class="ta">{marked}</span>
        </div>
        {beside}
        <Scale axis={axis} size={size} />
        <div class="rail" ref={rail}>
          {pin !== undefined && <Pin at={axis.x(pin)} now={x} />}
          <div
            class={`nowl ${x > 0.82 ? "flip" : ""}`}
            style={{ left: `${x * 100}%` }}
            ref={slider}
            role="slider"
            tabIndex={0}
            aria-label={`Moment, in ${kind}s`}
            aria-valuemin={least}
            aria-valuemax={size}
            aria-valuenow={position}
            aria-valuetext={`${label}, ${kind} ${count(position)} of ${count(size)}${entries === undefined ? "" : `, ${counted(entries, what.replace(/ies$/, "y").replace(/s$/, ""), what)}`}`}
            onKeyDown={onKeyDown}
          >
            <span>{label}</span>
          </div>
        </div>
      </div>
      <div class="tctl">
        <span class="btns">
          <button type="button" class="btn" aria-label={`One ${kind} back`} onClick={() => play.step(-1)}>
            <Icon name="left" />
          </button>
          <button type="button" class="btn" onClick={play.toggle}>
            <Icon name={play.isOn ? "pause" : "play"} />
            {play.isOn ? "Pause" : "Play"}
          </button>
          <button type="button" class="btn" aria-label={`One ${kind} on`} onClick={() => play.step(1)}>
            <Icon name="right" />
          </button>
        </span>
        <button type="button" class="btn" aria-pressed={pin !== undefined} onClick={onPin}>
          <Icon name="pin" />
          {pin === position ? "Unpin" : "Pin this moment"}
        </button>
        <GoTo kind={kind} axis={axis} to={to} />
        {legend}
      </div>
    </section>
  );
}

/** Steps from position to position, by hand or as a film. */
function usePlay({
  position,
  least,
  size,
  to,
}: {
  position: number;
  /** The first position. */
  least: number;
  /** The last position. */
  size: number;
  to: (position: number) => void;
}) {
  const now = useRef(position);
  now.current = position;
  const [isOn, setOn] = useState(false);
  const step = (by: number): void => to(Math.max(least, Math.min(size, now.current + by)));
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => (now.current >= size ? setOn(false) : step(1)), STEP);
    return () => clearInterval(timer);
  }, [isOn, size]);
  const toggle = (): void => {
    if (!isOn && now.current >= size) to(least);
    setOn(!isOn);
  };
  return { isOn, toggle, step };
}

/** The words below the strips: times, or numbers if there are no times. */
function Scale({ axis, size }: { axis: Axis; size: number }) {
  const hasDates = utcDate(axis.from) !== utcDate(axis.to);
  return (
    <div class="trk times quiet num">
      <span class="tl">
        {axis.isTimed ? (hasDates ? "UTC" : `${utcDate(axis.from)}, UTC`) : `by their order`}
      </span>
      <span class="ta">
        {[0, 0.5, 1].map((part) => (
          <span key={part}>
            {axis.isTimed ? moment(axis, part, hasDates) : count(Math.max(1, Math.round(part * size)))}
          </span>
        ))}
      </span>
    </div>
  );
}

/** The pinned moment. Its label is on the side that the present moment does not cover. */
function Pin({ at, now }: { at: number; now: number }) {
  return (
    <div class={`pinl ${at < 0.1 || (at > now && at < 0.9) ? "flip" : ""}`} style={{ left: `${at * 100}%` }}>
      <span>pinned</span>
    </div>
  );
}

function Bars({ bars }: { bars: ReturnType<typeof barsOf> }) {
  return (
    <svg class="strip" viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <line x1="0" x2="1000" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {bars.map((bar) => (
        <rect
          key={`${bar.x} ${bar.colour}`}
          class={`au-${bar.colour}`}
          x={bar.x * 1000}
          y={HEIGHT - bar.top * (HEIGHT - 6)}
          width={bar.width * 1000 * 0.86}
          height={bar.height * (HEIGHT - 6)}
        />
      ))}
    </svg>
  );
}

function Legend({ shape }: { shape: Shape }) {
  return (
    <div class="legend">
      {shape.people
        .filter(({ colour, person }) => colour < 6 || person === undefined)
        .toSorted((a, b) => a.colour - b.colour)
        .map(({ person, colour }) => (
          <Author key={person?.id ?? ""} author={colour}>
            {person === undefined ? "no author" : <Name of={person} />}
          </Author>
        ))}
    </div>
  );
}

function GoTo({ kind, axis, to }: { kind: string; axis: Axis; to: (wanted: number | string) => void }) {
  const [isWrong, setWrong] = useState(false);
  return (
    <form
      class="field moment"
      onSubmit={(event) => {
        event.preventDefault();
        const text = String(new FormData(event.currentTarget).get("moment") ?? "").trim();
        const wanted = typed(text, axis);
        setWrong(wanted === undefined);
        if (wanted !== undefined) to(wanted);
      }}
    >
      <label for="go-to">Go to</label>
      <input
        id="go-to"
        name="moment"
        size={20}
        aria-invalid={isWrong}
        autocomplete="off"
        placeholder="time, number or id"
        aria-label={`Go to a time, or the number or id of ${kind === "delta" ? "a delta" : "an operation"}`}
      />
    </form>
  );
}

/** A moment as a person types it: a number, a time, or the first digits of an id. */
function typed(text: string, axis: Axis): number | string | undefined {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  const time = /^\d\d?:\d\d/.test(text) ? `${utcDate(axis.to)}T${text}Z` : text.replace(" ", "T");
  const millis = /[-:]/.test(text)
    ? Date.parse(/Z$|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`)
    : Number.NaN;
  if (!Number.isNaN(millis)) return axis.until(millis);
  return /^[0-9a-f]{4,64}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** The next fork of the history in a direction. */
function nextFork(marks: Uint8Array, position: number, way: number): number | undefined {
  for (let at = position + way; at >= 1 && at <= marks.length; at += way)
    if (((marks[at - 1] as number) & FORK) !== 0) return at;
  return undefined;
}

function moment({ from, to }: Axis, part: number, hasDates: boolean): string {
  const time = from + part * (to - from);
  return hasDates ? utc(time).slice(0, 16) : utcTime(time).slice(0, 8);
}
