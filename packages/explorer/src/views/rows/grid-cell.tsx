/** A cell of the grid. */
import { thingAddress } from "../../page/addresses.js";
import { Id } from "../../parts/id.js";
import { Redacted } from "../../parts/marks.js";
import { Text } from "../../parts/text.js";
import type { GridRow } from "./use-grid.js";

type Cell = GridRow["cells"][string];

const LOOKS = { number: "num", none: "quiet", error: "failed", secret: "" } as const;

/** A cell; in a column of numbers it stands at the right. */
export function GridCell({ cell, isNumber }: { cell: Cell | undefined; isNumber: boolean }) {
  const look = cell?.look === undefined ? "" : LOOKS[cell.look];
  return (
    <td class={isNumber && look !== "num" ? `${look} num` : look}>
      {cell !== undefined && <Content cell={cell} />}
    </td>
  );
}

function Content({ cell: { text, id, thing, look } }: { cell: Cell }) {
  if (id !== undefined)
    return <Id id={id} name={thing?.name} plain address={thingAddress(thing?.kind, id)} tabIndex={-1} />;
  return look === "secret" ? <Redacted /> : <Text value={text} />;
}
