/** Fields and bytes: a field marks its bytes, a byte its field. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { moveByArrows } from "../../parts/arrow-keys.js";
import { WholeId } from "../../parts/id.js";
import { count, counted, Text } from "../../parts/text.js";
import type { RowDetail } from "../../worker/rows/detail.js";
import { Bytes } from "./bytes.js";
import { type Field, PartRows } from "./field-rows.js";

type Part = RowDetail["parts"][number];

/** A field of the key (0) or the value (1), and a byte of it. */
interface Marked {
  readonly part: number;
  readonly field: number;
  readonly at: number;
}

/** The numbers of bytes on a line, each with the pixels that it needs, the largest first. */
const LINES = [
  [440, 16],
  [330, 12],
  [0, 8],
] as const;

export function FieldsAndBytes({ parts }: { parts: readonly Part[] }) {
  const value = parts.length - 1;
  const [marked, setMarked] = useState<Marked>({ part: value, field: 0, at: 0 });
  const panes = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = panes.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  const [, perLine] = LINES.find(([least]) => width >= least) ?? LINES[0];
  const part = parts[marked.part] ?? parts[0];
  if (part === undefined) return null;
  const field = part.fields[marked.field];
  const mark = (at: number) => (index: number) =>
    setMarked({ part: at, field: index, at: parts[at]?.fields[index]?.offset ?? 0 });
  return (
    <div class="cols fb" ref={panes}>
      <div class="fields">
        <table class="tbl" onKeyDown={(event) => moveByArrows(event, ".mark-field")}>
          <thead>
            <tr>
              <th class="num">Offset</th>
              <th class="num hide-s">Size</th>
              <th>Field</th>
              <th>Value</th>
            </tr>
          </thead>
          <tbody>
            {parts.map((one, at) => (
              <PartRows
                key={one.title}
                part={one}
                marked={at === marked.part ? marked.field : undefined}
                onMark={mark(at)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div class="panel-body bytes">
        <About part={part} field={field} isKey={marked.part === 0} />
        <Bytes
          part={part}
          from={field?.offset ?? 0}
          to={field?.end ?? 0}
          at={marked.at}
          perLine={perLine}
          onByte={(offset) => setMarked({ part: marked.part, field: innermost(part, offset), at: offset })}
        />
      </div>
    </div>
  );
}

/** The marked field, and the whole of an id. */
function About({ part, field, isKey }: { part: Part; field: Field | undefined; isKey: boolean }) {
  return (
    <p class="quiet about">
      {field === undefined ? (
        <Text value={part.title} />
      ) : (
        <>
          {field.name !== "" && (
            <>
              <code>{field.name}</code>,{" "}
            </>
          )}
          {counted(field.end - field.offset, "byte")} from {count(field.offset)} (0x
          {field.offset.toString(16)}) of the {isKey ? "key" : "value"}
        </>
      )}
      {field?.id !== undefined && (
        <span class="whole">
          <WholeId id={field.id} />
        </span>
      )}
    </p>
  );
}

/** The smallest field that contains a byte. */
function innermost({ fields }: Part, offset: number): number {
  return fields.findLastIndex((field) => field.offset <= offset && offset < field.end);
}
