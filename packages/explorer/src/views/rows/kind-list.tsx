/** The kinds of rows that the database has, with their counts. */
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { rowsAddress } from "../../page/addresses.js";
import { countedRows } from "../../page/row-counts.js";
import { moveByArrows } from "../../parts/arrow-keys.js";
import { type KindGroup, kindGroup, kindGroups } from "../../parts/kind-groups.js";
import { Kind } from "../../parts/marks.js";
import { count, Text } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";

interface ListedKind {
  readonly kind: string;
  readonly words: string;
  readonly rows: number;
  readonly group: KindGroup;
}

/** The list at the left; `kind` is the shown kind. */
export function KindList({ kind }: { kind: string }) {
  const { counts, rows } = countedRows.value;
  const [isOpen, setOpen] = useState(false);
  if (counts === undefined)
    return (
      <Panel title="Kinds" class="side-kinds" remark={rows > 0 ? `${count(rows)} rows so far` : undefined}>
        <p class="panel-body quiet">Counting.</p>
      </Panel>
    );
  const listed = counts.families.flatMap(({ column, kinds }) =>
    kinds
      .filter((one) => one.rows > 0)
      .map((one): ListedKind => {
        const known = one.kind !== "";
        return {
          kind: known ? one.kind : `column:${column}`,
          words: known ? one.kind : `unknown, of ${column}`,
          rows: one.rows,
          group: known ? kindGroup(one.kind) : "misc",
        };
      }),
  );
  // One link takes the focus: the arrow keys reach the others.
  const isListed = listed.some((one) => one.kind === kind);
  return (
    <Panel
      title="Kinds"
      class={`side-kinds ${isOpen || !isListed ? "" : "pick"}`}
      remark={`${listed.length}`}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between its links */}
      <div class="list" onKeyDown={(event) => moveByArrows(event, "a.item")}>
        {kindGroups.map(({ group, heading }) => {
          const kinds = listed.filter((one) => one.group === group).sort((a, b) => b.rows - a.rows);
          if (kinds.length === 0) return null;
          return (
            <Fragment key={group}>
              <div class="head">{heading}</div>
              {kinds.map((one) => (
                <a
                  key={one.kind}
                  class={`item ${one.kind === kind ? "sel" : ""}`}
                  href={rowsAddress(one.kind)}
                  tabIndex={one.kind === kind || (!isListed && one === listed[0]) ? 0 : -1}
                  aria-current={one.kind === kind ? "true" : undefined}
                >
                  <Kind kind={one.kind}>
                    <Text value={one.words} most={60} />
                  </Kind>
                  <span class="num">{count(one.rows)}</span>
                </a>
              ))}
            </Fragment>
          );
        })}
      </div>
      {isListed && (
        <button type="button" class="btn small all" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Only this kind" : "All kinds"}
        </button>
      )}
    </Panel>
  );
}
