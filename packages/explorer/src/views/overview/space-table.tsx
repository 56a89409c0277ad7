/** The kinds of rows in groups, with their numbers. */
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { rowsAddress } from "../../page/addresses.js";
import { Icon } from "../../parts/icon.js";
import { type KindGroup, kindGroup, kindGroups } from "../../parts/kind-groups.js";
import { ByteCount, count } from "../../parts/text.js";
import type { Area, Cell } from "./treemap.js";

/** A table of the groups of kinds; each opens to its kinds. */
export function SpaceTable({ cells, area }: { cells: readonly Cell[]; area: Area }) {
  const [open, setOpen] = useState<ReadonlySet<KindGroup>>(new Set());
  const all = sum(cells, area);
  const toggle = (group: KindGroup) => {
    const next = new Set(open);
    if (!next.delete(group)) next.add(group);
    setOpen(next);
  };
  return (
    <table class="tbl space-table">
      <thead>
        <tr>
          <th>Rows about</th>
          <th class="num kinds">Kinds</th>
          <th class="num">Rows</th>
          <th class="num">Size</th>
          <th class="hide-s part">
            <span class="sr">Part of all</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {kindGroups.map(({ group, heading }) => {
          const kinds = cells.filter(({ kind }) => kindGroup(kind) === group);
          if (kinds.length === 0) return null;
          const isOpen = open.has(group);
          return (
            <Fragment key={group}>
              <tr>
                <td class="wide">
                  <button
                    type="button"
                    class="fold-button"
                    aria-expanded={isOpen}
                    onClick={() => toggle(group)}
                  >
                    <span class={`twist ${isOpen ? "open" : ""}`}>
                      <Icon name="right" />
                    </span>
                    <span class={`kind k-${group}`}>{heading}</span>
                  </button>
                </td>
                <td class="num kinds">{count(kinds.length)}</td>
                <td class="num">{count(sum(kinds, "rows"))}</td>
                <td class="num">
                  <ByteCount of={sum(kinds, "bytes")} />
                </td>
                <td class="num hide-s part">
                  <span class={`bar k k-${group}`}>
                    <i style={{ width: `${(100 * sum(kinds, area)) / all}%` }} />
                  </span>
                </td>
              </tr>
              {isOpen &&
                kinds
                  .toSorted((a, b) => b[area] - a[area])
                  .map((cell) => <KindRow key={cell.kind} cell={cell} />)}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function KindRow({ cell: { kind, rows, bytes } }: { cell: Cell }) {
  return (
    <tr class="kind-row">
      <td class="wide">{kind === "" ? "Unknown rows" : <a href={rowsAddress(kind)}>{kind}</a>}</td>
      <td class="kinds" />
      <td class="num">{count(rows)}</td>
      <td class="num">
        <ByteCount of={bytes} />
      </td>
      <td class="hide-s part" />
    </tr>
  );
}

function sum(cells: readonly Cell[], of: Area): number {
  return cells.reduce((total, cell) => total + cell[of], 0);
}
