/** A row of the grid. */

import { Component } from "preact";
import { Id } from "../../parts/id.js";
import { Redacted } from "../../parts/marks.js";
import { Text } from "../../parts/text.js";
import { type Pins, pinClass, pinStyle } from "./pins.js";
import type { Grid, GridRow } from "./use-grid.js";

interface LineOf {
  /** Its number, from 0. */
  readonly index: number;
  /** Undefined until it is read. */
  readonly row: GridRow | undefined;
  /** True if it could not be read. */
  readonly isLost: boolean;
  readonly columns: Grid["columns"];
  readonly pins: Pins;
  /** True if it is the current row, which keys move. */
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** True if it was written since the page was opened. */
  readonly isNew: boolean;
}

/** The id of the element of a row. */
export function rowId(index: number): string {
  return `row-${index}`;
}

/** A row of the grid. It is drawn again only when it changes: most rows in sight stay while others come. */
export class GridLine extends Component<LineOf> {
  override shouldComponentUpdate(next: LineOf): boolean {
    const { row, isLost, columns, isActive, isSelected, isNew } = this.props;
    return (
      row !== next.row ||
      isLost !== next.isLost ||
      columns !== next.columns ||
      isActive !== next.isActive ||
      isSelected !== next.isSelected ||
      isNew !== next.isNew
    );
  }

  override render({ index, row, isLost, columns, pins, isActive, isSelected, isNew }: LineOf) {
    const look = [isSelected && "sel", isActive && "active", isNew && "new"].filter(Boolean).join(" ");
    return (
      <tr
        id={rowId(index)}
        class={look}
        aria-rowindex={index + 1}
        aria-selected={isSelected}
        aria-busy={row === undefined && !isLost ? "true" : undefined}
      >
        {row === undefined ? (
          <td colSpan={columns.length}>
            {isLost ? <span class="quiet">could not be read</span> : <span class="skel still" />}
          </td>
        ) : (
          columns.map(({ name, isNumber, day }, at) => (
            <GridCell
              key={name}
              cell={row.cells[name]}
              isNumber={isNumber}
              day={day}
              extra={pinClass(pins, at)}
              place={pinStyle(pins, at)}
            />
          ))
        )}
      </tr>
    );
  }
}

type Cell = GridRow["cells"][string];

const LOOKS = { number: "num", none: "quiet", error: "failed", secret: "" } as const;

/** A cell. Numbers are aligned at the right. */
function GridCell({
  cell,
  isNumber,
  day,
  extra,
  place,
}: {
  cell: Cell | undefined;
  isNumber: boolean;
  day: string | undefined;
  extra: string;
  place: { readonly left: string } | undefined;
}) {
  const look = cell?.look === undefined ? "" : LOOKS[cell.look];
  return (
    <td
      class={`${isNumber && look !== "num" ? `${look} num` : look} ${extra}`.trim() || undefined}
      style={place}
    >
      {cell !== undefined && <Content cell={cell} day={day} />}
    </td>
  );
}

/** `day` is named below the grid: times on that day are shown without it. */
function Content({ cell: { text, id, thing, look }, day }: { cell: Cell; day: string | undefined }) {
  if (id !== undefined) return <Id id={id} name={thing?.name} plain />;
  if (day !== undefined && text.startsWith(day))
    return (
      <>
        <span class="sr">{day}</span> {text.slice(day.length + 1).replace(" UTC", "")}
        <span class="sr"> UTC</span>
      </>
    );
  return look === "secret" ? <Redacted /> : <Text value={text} />;
}
