/** The view Rows: the kinds of rows, and the rows of one kind. */
import { place } from "../../page/address.js";
import { countedRows } from "../../page/row-counts.js";
import { database } from "../../page/session.js";
import { Answered, Empty, Waiting } from "../../parts/states.js";
import { View } from "../../parts/view.js";
import { KindList } from "./kind-list.js";
import { KindRows } from "./kind-rows.js";
import "./rows.css";

export function Rows() {
  const opened = database.value;
  const { words, options } = place.value;
  const { counts, state } = countedRows.value;
  if (opened === undefined) return <View title="Rows" />;
  const [kind = firstKind()] = words;
  const { key, sort = "", where = "", ...parts } = options;
  if (kind === undefined && state === "failed") return <RowsFailed message={countedRows.value.message} />;
  if (kind === undefined)
    return (
      <View title="Rows">
        <h1 class="sr">Rows</h1>
        {counts === undefined ? (
          <Waiting what="Counting the rows of each kind." />
        ) : (
          <Empty heading="The database has no rows.">
            <p>Its column families are there, and nothing was written to them.</p>
          </Empty>
        )}
      </View>
    );
  return (
    <KindRows
      key={JSON.stringify([kind, parts])}
      kind={kind}
      parts={parts}
      order={sort === "" && where === "" ? undefined : { sort, where }}
      selected={key}
      list={<KindList kind={kind} />}
    />
  );
}

function RowsFailed({ message }: { message: string }) {
  const error = { message, code: undefined };
  return (
    <View title="Rows">
      <h1 class="sr">Rows</h1>
      <Answered asked={{ state: "failed", answer: undefined, error: error as never }} what="">
        {() => null}
      </Answered>
    </View>
  );
}

/** The kind that is shown if the address names none: the kind with the most rows. */
function firstKind(): string | undefined {
  const kinds = countedRows.value.counts?.families.flatMap((family) => family.kinds) ?? [];
  const known = kinds.filter(({ kind, rows }) => kind !== "" && rows > 0);
  return known.reduce<(typeof known)[number] | undefined>(
    (most, one) => (most === undefined || one.rows > most.rows ? one : most),
    undefined,
  )?.kind;
}
