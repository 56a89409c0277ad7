/** Fields beside bytes: a field marks its bytes, a byte its field. */
import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { moveByArrows } from "../../parts/arrow-keys.js";
import { WholeId } from "../../parts/id.js";
import { Splitter } from "../../parts/splitter.js";
import { count, counted, Text } from "../../parts/text.js";
import { Bytes } from "./bytes.js";
import { type Field, PartRows } from "./field-rows.js";
import type { RowDetail } from "./row-detail.js";

type Part = RowDetail["parts"][number];

/** A field of the key (0) or the value (1), and a byte of it. */
interface Marked {
  readonly part: number;
  readonly field: number;
  readonly at: number;
}

/** Pixels of the bytes, as the person set them; undefined until then. */
const bytesWidth = signal<number | undefined>(undefined);
const LEAST = 320;

export function FieldsAndBytes({ parts }: { parts: readonly Part[] }) {
  const value = parts.length - 1;
  const [marked, setMarked] = useState<Marked>({ part: value, field: 0, at: 0 });
  const panes = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => setWidth(panes.current?.clientWidth ?? 0), []);
  const part = parts[marked.part] ?? parts[0];
  if (part === undefined) return null;
  const field = part.fields[marked.field];
  const mark = (at: number) => (index: number) =>
    setMarked({ part: at, field: index, at: parts[at]?.fields[index]?.offset ?? 0 });
  const most = Math.max(LEAST, width - LEAST);
  const given = bytesWidth.value;
  const isWide = width >= 2 * LEAST && matchMedia("(min-width: 1024px)").matches;
  const columns =
    given === undefined || !isWide
      ? {}
      : { gridTemplateColumns: `minmax(0, 1fr) auto ${Math.min(given, most)}px` };
  return (
    <div class="cols fb" ref={panes} style={columns}>
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
      {isWide && (
        <Splitter
          label="Width of the bytes"
          size={Math.min(most, given ?? bytesOf(panes.current))}
          least={LEAST}
          most={most}
          onResize={(size) => {
            bytesWidth.value = size;
          }}
        />
      )}
      <div class="panel-body bytes">
        <About part={part} field={field} isKey={marked.part === 0} />
        <Bytes
          part={part}
          from={field?.offset ?? 0}
          to={field?.end ?? 0}
          at={marked.at}
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
          <code>{field.name}</code>, {counted(field.end - field.offset, "byte")} from {count(field.offset)}{" "}
          (0x
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

function bytesOf(panes: HTMLElement | null): number {
  return panes?.querySelector<HTMLElement>(".bytes")?.offsetWidth ?? LEAST;
}

/** The smallest field that has a byte. */
function innermost({ fields }: Part, offset: number): number {
  return fields.findLastIndex((field) => field.offset <= offset && offset < field.end);
}
