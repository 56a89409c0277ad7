/** Bytes in hex, sixteen in a line, with those of a field marked. */
import { useEffect, useRef } from "preact/hooks";
import type { Answer } from "../../page/worker-client.js";
import { count } from "../../parts/text.js";

type Part = NonNullable<Answer<"rowDetail">>["parts"][number];

const LINE = 16;
/** Bytes that are drawn around the marked ones. */
const DRAWN = 2_048;

export function Bytes({
  part,
  from,
  to,
  onByte,
}: {
  part: Part;
  /** The marked bytes. */
  from: number;
  to: number;
  onByte: (offset: number) => void;
}) {
  const element = useRef<HTMLPreElement>(null);
  const begin = Math.max(0, Math.floor((from - DRAWN / 4) / LINE) * LINE);
  const end = Math.min(part.bytes.length, begin + DRAWN);
  useEffect(() => {
    const mark = element.current?.querySelector("mark");
    if (mark && element.current) element.current.scrollTop = mark.offsetTop - element.current.offsetTop - 60;
  }, [from, to, part]);
  const lines: number[] = [];
  for (let at = begin; at < end; at += LINE) lines.push(at);
  const click = ({ target }: MouseEvent) => {
    const at = (target as HTMLElement).dataset?.at;
    if (at !== undefined) onByte(Number(at));
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of fields does the same with keys */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre class="hex" ref={element} tabIndex={0} onClick={click}>
        {lines.map((at) => (
          <Line key={at} part={part} at={at} from={from} to={to} />
        ))}
      </pre>
      {end < part.size && (
        <p class="quiet">
          Bytes {count(begin)} to {count(end)} of {count(part.size)}.
        </p>
      )}
    </>
  );
}

function Line({ part, at, from, to }: { part: Part; at: number; from: number; to: number }) {
  const { bytes, hidden } = part;
  const isHidden = (offset: number) => hidden.some(([begin, end]) => begin <= offset && offset < end);
  const cells: preact.JSX.Element[] = [];
  let text = "";
  for (let offset = at; offset < Math.min(at + LINE, bytes.length); offset++) {
    const byte = bytes[offset] ?? 0;
    const masked = isHidden(offset);
    const shown = masked ? "··" : byte.toString(16).padStart(2, "0");
    const inside = offset >= from && offset < to;
    cells.push(
      inside ? (
        <mark key={offset} data-at={offset}>
          {shown}
        </mark>
      ) : (
        <span key={offset} data-at={offset} class={masked ? "mask" : ""}>
          {shown}
        </span>
      ),
    );
    text += !masked && byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
  }
  const missing = LINE - cells.length;
  return (
    <>
      <span class="off">{at.toString(16).padStart(4, "0")}</span>
      {"  "}
      {cells.map((cell, index) => (
        <>
          {cell}
          {index === 7 ? "  " : " "}
        </>
      ))}
      {" ".repeat(missing * 3 + (missing > 8 ? 1 : 0))} <span class="txt">{text}</span>
      {"\n"}
    </>
  );
}
