/** The fields of a key or a value, as rows of a table. */
import { thingAddress } from "../../page/addresses.js";
import { Id } from "../../parts/id.js";
import { Redacted } from "../../parts/marks.js";
import { Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import type { RowDetail } from "../../worker/rows/detail.js";

type Part = RowDetail["parts"][number];
/** A field. */
export type Field = Part["fields"][number];

/** Characters of a type that are shown. */
const TYPE = 28;

/** `marked` is the number of the marked field, if it is one of these. */
export function PartRows({
  part,
  marked,
  onMark,
}: {
  part: Part;
  marked: number | undefined;
  onMark: (field: number) => void;
}) {
  const { title, size, fields, fieldCount, stopped, isCanonical } = part;
  return (
    <>
      <tr class="group">
        <td colSpan={4}>
          <Text value={title} />, {counted(size, "byte")}
          {!isCanonical && ". The node would write other bytes for this value."}
        </td>
      </tr>
      {fields.length === 0 && stopped === undefined && (
        <tr>
          <td colSpan={4}>
            <button
              type="button"
              class="mark-field quiet"
              tabIndex={marked === undefined ? -1 : 0}
              onClick={() => onMark(0)}
            >
              {size === 0 ? "It is empty." : "No revision says what these bytes are."}
            </button>
          </td>
        </tr>
      )}
      {fields.map((field, index) => (
        <FieldRow key={index} field={field} isMarked={index === marked} onMark={() => onMark(index)} />
      ))}
      {fieldCount > fields.length && (
        <tr>
          <td colSpan={4} class="quiet">
            The command prints {counted(fieldCount - fields.length, "more field")}.
          </td>
        </tr>
      )}
      {stopped !== undefined && (
        <tr>
          <td colSpan={4}>
            <Note severity="error">
              Decoding stopped at byte {count(stopped.offset)}: <Text value={stopped.reason} />
            </Note>
          </td>
        </tr>
      )}
    </>
  );
}

function FieldRow({ field, isMarked, onMark }: { field: Field; isMarked: boolean; onMark: () => void }) {
  const { offset, end, depth, name, type, text, id, thing, isSecret } = field;
  return (
    <tr class={isMarked ? "sel" : ""} onClick={onMark}>
      <td class="num quiet">
        <code>{offset}</code>
      </td>
      <td class="num quiet hide-s">
        <code>{end - offset}</code>
      </td>
      <td class="nowrap" title={type}>
        <button
          type="button"
          class="twig mark-field"
          style={{ "--d": depth }}
          tabIndex={isMarked ? 0 : -1}
          aria-pressed={isMarked}
          onFocus={onMark}
          onClick={onMark}
        >
          <Text value={name} most={60} />
        </button>{" "}
        <code class="quiet hide-s">{type.length > TYPE ? `${type.slice(0, TYPE - 1)}…` : type}</code>
      </td>
      <td class="cut">
        {isSecret ? (
          <Redacted bytes={end - offset} />
        ) : id !== undefined ? (
          <Id
            id={id}
            name={thing?.name}
            address={thingAddress(thing?.kind, id)}
            plain
            tabIndex={isMarked ? 0 : -1}
          />
        ) : (
          text !== undefined && <Text value={text} most={300} />
        )}
      </td>
    </tr>
  );
}
