/** Fields beside bytes: a field marks its bytes, a byte its field. */
import { useState } from "preact/hooks";
import { thingAddress } from "../../page/addresses.js";
import type { Answer } from "../../page/worker-client.js";
import { Id } from "../../parts/id.js";
import { Redacted } from "../../parts/marks.js";
import { Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { Bytes } from "./bytes.js";

type Part = NonNullable<Answer<"rowDetail">>["parts"][number];
type Field = Part["fields"][number];

/** A field of the key (0) or the value (1). */
interface Marked {
  readonly part: number;
  readonly field: number;
}

export function FieldsAndBytes({ parts }: { parts: readonly Part[] }) {
  const [marked, setMarked] = useState<Marked>({ part: parts.length - 1, field: 0 });
  const part = parts[marked.part] ?? parts[0];
  if (part === undefined)
    return (
      <p class="panel-body quiet">
        No revision says what the bytes of this row mean. Reveal secrets to see them.
      </p>
    );
  const field = part.fields[marked.field];
  return (
    <div class="cols fb">
      <div class="fields">
        <table class="tbl">
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
                onMark={(index) => setMarked({ part: at, field: index })}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div class="panel-body">
        <p class="quiet about">
          {field === undefined ? (
            part.title
          ) : (
            <>
              <code>{field.name}</code>, {counted(field.end - field.offset, "byte")} from{" "}
              {count(field.offset)} (0x
              {field.offset.toString(16)}) of the {marked.part === 0 ? "key" : "value"}
            </>
          )}
        </p>
        <Bytes
          part={part}
          from={field?.offset ?? 0}
          to={field?.end ?? 0}
          onByte={(offset) => setMarked({ part: marked.part, field: innermost(part, offset) })}
        />
      </div>
    </div>
  );
}

function PartRows({
  part,
  marked,
  onMark,
}: {
  part: Part;
  marked: number | undefined;
  onMark: (field: number) => void;
}) {
  return (
    <>
      <tr class="group">
        <td colSpan={4}>
          <Text value={part.title} />, {counted(part.size, "byte")}
          {!part.isCanonical && ". The node would write other bytes for this value."}
        </td>
      </tr>
      {part.fields.map((field, index) => (
        <FieldRow key={index} field={field} isMarked={index === marked} onMark={() => onMark(index)} />
      ))}
      {part.stopped !== undefined && (
        <tr>
          <td colSpan={4}>
            <Note severity="error">
              Decoding stopped at byte {count(part.stopped.offset)}: <Text value={part.stopped.reason} />
            </Note>
          </td>
        </tr>
      )}
    </>
  );
}

function FieldRow({ field, isMarked, onMark }: { field: Field; isMarked: boolean; onMark: () => void }) {
  const { offset, end, depth, name, type, text, id, isSecret } = field;
  return (
    <tr class={isMarked ? "sel" : ""} onClick={onMark}>
      <td class="num quiet">
        <code>{offset}</code>
      </td>
      <td class="num quiet hide-s">
        <code>{end - offset}</code>
      </td>
      <td class="nowrap">
        <button type="button" class="twig mark-field" style={{ "--d": depth }} onClick={onMark}>
          <Text value={name} most={60} />
        </button>{" "}
        <code class="quiet hide-s">{type.length > 28 ? `${type.slice(0, 27)}…` : type}</code>
      </td>
      <td class="cut">
        {isSecret ? (
          <Redacted bytes={end - offset} />
        ) : id !== undefined ? (
          <Id id={id} address={thingAddress(undefined, id)} />
        ) : (
          text !== undefined && <Text value={text} most={300} />
        )}
      </td>
    </tr>
  );
}

/** The smallest field that has a byte. */
function innermost({ fields }: Part, offset: number): number {
  return fields.findLastIndex((field) => field.offset <= offset && offset < field.end);
}
