/** Bytes in hex, with the bytes of a field marked. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { count } from "../../parts/text.js";
import type { RowDetail } from "../../worker/rows/detail.js";

type Part = RowDetail["parts"][number];

/** Bytes that are drawn around the marked bytes. */
const DRAWN = 2_048;
/** Pixels of a line. */
const LINE_HEIGHT = 20;
/** Lines by which a page key moves. */
const PAGE = 8;

export function Bytes({
  part,
  from,
  to,
  at,
  perLine,
  onByte,
}: {
  part: Part;
  /** The marked bytes. */
  from: number;
  to: number;
  /** The current byte, which keys move. */
  at: number;
  /** Bytes of a line: 8, 12 or 16. */
  perLine: number;
  onByte: (offset: number) => void;
}) {
  const element = useRef<HTMLPreElement>(null);
  const begin = Math.max(0, Math.floor((at - DRAWN / 2) / perLine) * perLine);
  const end = Math.min(part.bytes.length, begin + DRAWN);
  useEffect(() => {
    const pre = element.current;
    if (pre === null) return;
    const line = Math.floor((at - begin) / perLine) * LINE_HEIGHT;
    if (line < pre.scrollTop || line + LINE_HEIGHT > pre.scrollTop + pre.clientHeight)
      pre.scrollTop = Math.max(0, line - 3 * LINE_HEIGHT);
  }, [at, begin, part]);
  const lines: number[] = [];
  for (let offset = begin; offset < end; offset += perLine) lines.push(offset);
  const click = ({ target }: MouseEvent) => {
    const offset = (target as HTMLElement).dataset?.at;
    if (offset !== undefined) onByte(Number(offset));
  };
  const press = (event: KeyboardEvent) => {
    const offset = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + perLine,
      ArrowUp: at - perLine,
      PageDown: at + PAGE * perLine,
      PageUp: at - PAGE * perLine,
      Home: 0,
      End: part.bytes.length - 1,
    }[event.key];
    if (offset === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onByte(Math.max(0, Math.min(part.bytes.length - 1, offset)));
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keys move in it */}
      <pre class="hex" ref={element} tabIndex={0} onClick={click} onKeyDown={press}>
        {lines.map((line) => (
          <Line key={line} part={part} begin={line} from={from} to={to} at={at} perLine={perLine} />
        ))}
      </pre>
      {(end < part.size || begin > 0) && (
        <p class="quiet">
          Bytes {count(begin)} to {count(end)} of {count(part.size)}.
        </p>
      )}
    </>
  );
}

interface LineOf {
  readonly part: Part;
  readonly begin: number;
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly perLine: number;
}

function Line({ part: { bytes, hidden }, begin, from, to, at, perLine }: LineOf) {
  const isHidden = (offset: number) => hidden.some(([first, end]) => first <= offset && offset < end);
  const isMarked = (offset: number) => offset >= from && offset < to && offset < end;
  const end = Math.min(begin + perLine, bytes.length);
  const drawn: ComponentChildren[] = [];
  let marked: ComponentChildren[] = [];
  let text = "";
  for (let offset = begin; offset < end; offset++) {
    const byte = bytes[offset] ?? 0;
    const masked = isHidden(offset);
    const into = isMarked(offset) ? marked : drawn;
    into.push(
      <span
        key={offset}
        data-at={offset}
        class={`${masked ? "mask" : ""} ${offset === at ? "at" : ""}`.trim() || undefined}
      >
        {masked ? "··" : byte.toString(16).padStart(2, "0")}
      </span>,
    );
    const space = offset - begin === perLine / 2 - 1 ? "  " : " ";
    if (isMarked(offset) && isMarked(offset + 1)) marked.push(space);
    else {
      if (marked.length > 0) drawn.push(<mark key={`mark ${offset}`}>{marked}</mark>);
      marked = [];
      drawn.push(space);
    }
    text += !masked && byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
  }
  const missing = begin + perLine - end;
  return (
    <>
      <span class="off">{begin.toString(16).padStart(4, "0")}</span>
      {"  "}
      {drawn}
      {" ".repeat(missing * 3 + (missing > perLine / 2 ? 1 : 0))} <span class="txt">{text}</span>
      {"\n"}
    </>
  );
}
