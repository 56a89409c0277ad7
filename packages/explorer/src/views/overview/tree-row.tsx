/** A line of the tree. */
import type { Answer, RowCounts } from "../../page/worker-client.js";
import { Icon } from "../../parts/icon.js";
import { Id } from "../../parts/id.js";
import { Kind, Tag } from "../../parts/marks.js";
import { ByteCount, count, plainText, Text } from "../../parts/text.js";
import { utcToSecond } from "../../parts/time.js";

/** A namespace, a group or a context. */
export type TreeLine = Answer<"overview">["tree"][number];

/** The deepest level with its own indentation: a damaged tree may have a hundred levels. */
const DEEPEST = 12;

/** A namespace, a group or a context in the tree. */
export function TreeRow({
  id,
  rowIndex,
  line,
  address,
  isOpen,
  isFocused,
  sizes,
  onToggle,
  onFocus,
}: {
  id: string;
  rowIndex: number;
  line: TreeLine;
  address: string;
  /** Undefined for a line without children. */
  isOpen: boolean | undefined;
  isFocused: boolean;
  /** The content of a context; undefined if it holds nothing. */
  sizes: RowCounts["contexts"][number] | "counting" | undefined;
  onToggle: () => void;
  onFocus: () => void;
}) {
  const { kind, name, depth, members, application, changedAt, isHere } = line;
  const isContext = kind === "context";
  return (
    <tr
      id={id}
      class={isFocused ? "is-focus" : ""}
      aria-rowindex={rowIndex}
      aria-level={depth + 1}
      aria-expanded={isOpen}
      onPointerDown={onFocus}
    >
      <td class="wide">
        <span class="twig" style={{ "--d": Math.min(depth, DEEPEST) }}>
          <button
            type="button"
            class={`twist ${isOpen === undefined ? "leaf" : isOpen ? "open" : ""}`}
            aria-label={`${isOpen ? "Close" : "Open"} ${plainText(name ?? line.id.slice(0, 8), 60)}`}
            tabIndex={-1}
            onClick={onToggle}
          >
            <Icon name="right" />
          </button>
          <Kind kind={isContext ? "ContextMeta" : "GroupMeta"}>
            <Id id={line.id} name={name} address={address} plain={isContext} tabIndex={-1} />
          </Kind>
          {isContext ? (
            <span class="quiet hide-s cut-end">
              <Text value={application ?? ""} most={60} />
            </span>
          ) : (
            <span class="hide-s">
              <Tag>{kind}</Tag>
            </span>
          )}
          {!isHere && (
            <span class="quiet hide-s nowrap">{isContext ? "never joined" : "has no row of its own"}</span>
          )}
        </span>
      </td>
      <td class="num">{members === undefined ? "" : count(members)}</td>
      <td class="num">{isContext && <Size sizes={sizes} of="deltas" />}</td>
      <td class="num hide-s size">{isContext && <Size sizes={sizes} of="rows" />}</td>
      <td class="num hide-s size">{isContext && <Size sizes={sizes} of="bytes" />}</td>
      <td class="num nowrap second hide-s">{changedAt !== undefined && utcToSecond(changedAt)}</td>
    </tr>
  );
}

function Size({
  sizes,
  of,
}: {
  sizes: RowCounts["contexts"][number] | "counting" | undefined;
  of: "deltas" | "rows" | "bytes";
}) {
  if (sizes === "counting") return <span class="skel skel-number" role="img" aria-label="not counted yet" />;
  const number = sizes?.[of] ?? 0;
  return of === "bytes" ? <ByteCount of={number} /> : <span>{count(number)}</span>;
}
