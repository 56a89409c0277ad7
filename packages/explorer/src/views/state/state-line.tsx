/** A line of the tree of a state. */
import { Icon } from "../../parts/icon.js";
import { Id } from "../../parts/id.js";
import { Redacted } from "../../parts/marks.js";
import { ShownProblem, ShownValue } from "../../parts/shown-value.js";
import { count, plainText, Text } from "../../parts/text.js";
import { utc, utcDate, utcTime } from "../../parts/time.js";
import type { StateRow, TreeLine } from "./tree-lines.js";
import { PAGE } from "./use-state-tree.js";

/** The deepest level with its own indentation. */
const DEEPEST = 10;

/** A line. */
export function StateLine({
  id,
  rowIndex,
  line,
  day,
  address,
  isFocused,
  isSelected,
  onToggle,
  onAct,
}: {
  id: string;
  rowIndex: number;
  line: TreeLine;
  /** A time of the day on which most entities were changed. */
  day: number | undefined;
  address: string | undefined;
  isFocused: boolean;
  isSelected: boolean;
  onToggle: () => void;
  onAct: () => void;
}) {
  const isOpen =
    line.kind === "group"
      ? line.isOpen
      : line.kind === "row" && line.row.opens !== undefined
        ? line.isOpen
        : undefined;
  const isChosen = line.kind === "row" || line.kind === "lost";
  return (
    <tr
      id={id}
      class={`${isFocused ? "is-focus" : ""} ${line.kind === "group" ? "group" : ""} ${isChosen ? "can-choose" : ""}`}
      aria-rowindex={rowIndex}
      aria-level={line.depth + 1}
      aria-expanded={isOpen}
      aria-selected={isChosen ? isSelected : undefined}
      onClick={(event) => {
        // Links and buttons in the row handle their own clicks.
        if (event.target instanceof Element && event.target.closest("a, button") === null) onAct();
      }}
    >
      {line.kind === "row" ? (
        <Row
          row={line.row}
          depth={line.depth}
          isOpen={isOpen}
          day={day}
          address={address}
          onToggle={onToggle}
        />
      ) : line.kind === "lost" ? (
        <>
          <td colSpan={2} class="cut">
            <span class="twig" style={{ "--d": 1 }}>
              {line.lost.name === undefined ? (
                <span class="quiet">without a name</span>
              ) : (
                <span class="second">
                  stored as <Text value={line.lost.name} most={80} />
                </span>
              )}
            </span>
          </td>
          <td class="hide-m st-type" />
          <Merkle entity={line.lost.entity} address={address} day={day} />
        </>
      ) : (
        <>
          <td
            colSpan={2}
            class={`between ${line.kind === "group" && isOpen !== undefined ? "can-choose" : ""}`}
          >
            <span class="twig" style={{ "--d": Math.min(line.depth, DEEPEST) }}>
              <Between line={line} isOpen={isOpen} onToggle={onToggle} onAct={onAct} />
            </span>
          </td>
          <td class="hide-m st-type" />
          <td class="hide-s" />
          <td class="hide-s st-hash" />
          <td class="hide-l" />
          <td class="hide-l" />
          <td class="hide-s" />
        </>
      )}
    </tr>
  );
}

function Row({
  row,
  depth,
  isOpen,
  day,
  address,
  onToggle,
}: {
  row: StateRow;
  depth: number;
  isOpen: boolean | undefined;
  day: number | undefined;
  address: string | undefined;
  onToggle: () => void;
}) {
  const { name, named, value, type, problem, entity } = row;
  return (
    <>
      <td class="cut" title={plainText(row.path, 300)}>
        <span class="twig" style={{ "--d": Math.min(depth, DEEPEST) }}>
          <Twist isOpen={isOpen} what={name} onToggle={onToggle} />
          {named === "field" ? (
            <b>
              <Text value={name} most={80} />
            </b>
          ) : named === "element" ? (
            ""
          ) : (
            <code>{name === "" ? <span class="quiet">“”</span> : <Text value={name} most={80} />}</code>
          )}
        </span>
      </td>
      {problem === undefined ? (
        <>
          <td class={`cut ${value.look === "number" ? "num" : ""}`} title={plainText(value.text, 300)}>
            <ShownValue value={value} />
          </td>
          <TypeCell type={type} />
        </>
      ) : (
        <>
          <td
            class="cut hide-m-span"
            colSpan={1}
            title={plainText(`${problem.name}: ${problem.message}`, 600)}
          >
            <ShownProblem problem={problem} />
          </td>
          <TypeCell type={type} />
        </>
      )}
      <Merkle entity={entity} address={address} day={day} />
    </>
  );
}

/** A type. If it takes more than a line, it breaks between its inner types. */
function TypeCell({ type }: { type: string | undefined }) {
  return (
    <td class="second hide-m ty st-type" title={type}>
      {type !== undefined && (
        <code>
          {plainText(type, 200)
            .split(/(?<=[<,])/)
            .map((part, at) => [at > 0 && <wbr />, part])}
        </code>
      )}
    </td>
  );
}

function Merkle({
  entity,
  address,
  day,
}: {
  entity: StateRow["entity"];
  address: string | undefined;
  day: number | undefined;
}) {
  const row = entity?.row;
  return (
    <>
      <td class="mk hide-s nowrap">
        {entity !== undefined && <Id id={entity.id} address={address} tabIndex={-1} />}
      </td>
      <td class="hide-s st-hash nowrap" title={row?.fullHash}>
        {row === undefined ? (
          entity !== undefined && <span class="quiet">no row</span>
        ) : (
          <code class="second">{row.fullHash.slice(0, 8)}</code>
        )}
      </td>
      <td class="hide-l nowrap" title={row?.ownHash}>
        <code class="second">{row?.ownHash.slice(0, 8)}</code>
      </td>
      <td class="hide-l cut quiet">
        {row?.storage}
        {row?.owner !== undefined && (
          <>
            {" "}
            <code>{row.owner.slice(0, 8)}</code>
          </>
        )}
      </td>
      <td class="num hide-s quiet nowrap" title={row && utc(row.updated)}>
        {row && <Updated at={row.updated} day={day} />}
      </td>
    </>
  );
}

/**
 * The time of a change. On the day that the head names, the time alone; on other days the date, and the time if there
 * is room.
 */
function Updated({ at, day }: { at: number; day: number | undefined }) {
  const isSameDay = day !== undefined && utcDate(at) === utcDate(day);
  return (
    <>
      {!isSameDay && <span>{utcDate(at)} </span>}
      <span class={isSameDay ? "" : "st-rest"}>{utcTime(at)}</span>
    </>
  );
}

function Twist({
  isOpen,
  what,
  onToggle,
}: {
  isOpen: boolean | undefined;
  what: string;
  onToggle: () => void;
}) {
  return (
    <button
      type="button"
      class={`twist ${isOpen === undefined ? "leaf" : isOpen ? "open" : ""}`}
      aria-label={`${isOpen ? "Close" : "Open"} ${plainText(what, 60)}`}
      tabIndex={-1}
      onClick={onToggle}
    >
      <Icon name="right" />
    </button>
  );
}

function Between({
  line,
  isOpen,
  onToggle,
  onAct,
}: {
  line: Exclude<TreeLine, { readonly kind: "row" | "lost" }>;
  isOpen: boolean | undefined;
  onToggle: () => void;
  onAct: () => void;
}) {
  if (line.kind === "waiting")
    return (
      <span class="st-part" aria-busy="true">
        <span class="skel skel-number" />
        <span class="quiet">Reading the entries.</span>
      </span>
    );
  if (line.kind === "problem") return <ShownProblem problem={line.problem} />;
  if (line.kind === "secret")
    return (
      <span class="st-part">
        <Redacted />
        <span class="quiet">
          {line.key === "#secret"
            ? "Data that the application keeps on this node alone. “Reveal secrets” shows it."
            : `${count(line.rows)} rows. No type of this application describes them: give a manifest with the types of private data.`}
        </span>
      </span>
    );
  if (line.kind === "more") {
    const { rows, total, isLoading, isSorted } = line.loaded;
    return (
      <span class="st-part" aria-busy={isLoading}>
        <button type="button" class="btn small" tabIndex={-1} disabled={isLoading} onClick={onAct}>
          {isLoading ? "Reading more" : `Show ${count(Math.min(PAGE, total - rows.length))} more`}
        </button>
        <span class="quiet">
          {count(rows.length)} of {count(total)}
          {!isSorted && ", in the order in which they were made"}
        </span>
      </span>
    );
  }
  return (
    <span class="st-part">
      {isOpen !== undefined && <Twist isOpen={isOpen} what={line.words} onToggle={onToggle} />}
      <Text value={line.words} most={120} />
      {line.count !== undefined && <span class="quiet">{count(line.count)}</span>}
    </span>
  );
}
