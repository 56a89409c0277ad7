/** A cell of the grid. */
import { thingAddress } from "../../page/addresses.js";
import { Id } from "../../parts/id.js";
import { Redacted } from "../../parts/marks.js";
import { Text } from "../../parts/text.js";
import type { GridRow } from "./use-grid.js";

const LOOKS = { number: "num", none: "quiet", error: "failed" } as const;

export function GridCell({ cell }: { cell: GridRow["cells"][string] | undefined }) {
  if (cell === undefined) return <td />;
  const { text, id, thing, look } = cell;
  if (id !== undefined)
    return (
      <td>
        <Id id={id} name={thing?.name} plain address={thingAddress(thing?.kind, id)} />
      </td>
    );
  if (look === "secret")
    return (
      <td>
        <Redacted />
      </td>
    );
  return (
    <td class={look && LOOKS[look]}>
      <Text value={text} />
    </td>
  );
}
