/** The one loop over all references: it looks up the rows that others name. */
import type { AnyKey } from "../keys/index.js";
import { runsOfBatch } from "./batches.js";
import type { GoodRow } from "./examine.js";
import type { RowFinding } from "./finding.js";
import type { Reference } from "./reference.js";
import type { KindCheck, Rule } from "./rule.js";
import type { Tools } from "./tools.js";

type Row = GoodRow<AnyKey, unknown>;
type Rows = AsyncIterable<readonly Row[]>;

/** A rule that consists of references, and perhaps of other checks. */
export function referenceRule({
  references,
  checks = [],
  ...rule
}: Omit<Rule, "checks" | "references"> & {
  readonly references: readonly Reference[];
  readonly checks?: Rule["checks"];
}): Rule {
  return { ...rule, references, checks: [...references.map(checkOf), ...checks] };
}

function checkOf(reference: Reference): KindCheck {
  const { from, revisions, grouping } = reference;
  const run = (batches: Rows, tools: Tools) =>
    grouping === undefined
      ? eachRow(reference, batches, tools)
      : groupedRuns(reference, grouping, batches, tools);
  return { kind: from, revisions, run: run as KindCheck["run"] };
}

/** A row, and the key of a row that it names. */
interface Named {
  readonly row: Row;
  readonly to: AnyKey;
}

async function* eachRow(
  reference: Reference,
  batches: Rows,
  tools: Tools,
): AsyncGenerator<RowFinding, void, undefined> {
  for await (const batch of batches) {
    const rows = await thoseGiven(reference, batch, tools);
    const named = rows.flatMap((row) => namedBy(reference, row));
    tools.checked(named.length);
    for (const { row, to } of await missing(reference, named, tools)) {
      const shows = reference.shows?.(row, to) ?? { expected: to.bytes, about: to.bytes };
      yield { key: row.key, ...reference.missing(row, to), ...shows };
    }
  }
}

/** The rows for which the reference holds. */
async function thoseGiven({ given }: Reference, rows: readonly Row[], tools: Tools): Promise<readonly Row[]> {
  if (given === undefined) return rows;
  const found = await tools.join(rows, given);
  return found.flatMap(([row, { there }]) => (there ? [row] : []));
}

/** The named rows that do not exist, unless one of others exists instead. */
async function missing(
  { instead }: Reference,
  named: readonly Named[],
  tools: Tools,
): Promise<readonly Named[]> {
  const left = notThere(await tools.join(named, ({ to }) => to));
  if (instead === undefined) return left;
  const others = left.flatMap((one) => instead(one.row).map((key) => ({ one, key })));
  const found = new Set<Named>();
  for (const [{ one }, { there }] of await tools.join(others, ({ key }) => key)) if (there) found.add(one);
  return left.filter((one) => !found.has(one));
}

function notThere(found: readonly (readonly [Named, { readonly there: boolean }])[]): readonly Named[] {
  return found.flatMap(([named, { there }]) => (there ? [] : [named]));
}

async function* groupedRuns(
  reference: Reference,
  { id, show }: NonNullable<Reference["grouping"]>,
  batches: Rows,
  tools: Tools,
): AsyncGenerator<RowFinding, void, undefined> {
  let lostFirst: Named | undefined;
  let count = 0;
  for await (const runs of runsOfBatch(batches, id)) {
    const first = runs.flatMap(({ begins, rows: [row] }) => (begins && row !== undefined ? [row] : []));
    const begun = (await thoseGiven(reference, first, tools)).flatMap((row) => namedBy(reference, row));
    tools.checked(begun.length);
    const lost = new Set((await missing(reference, begun, tools)).map(({ row }) => row));
    for (const run of runs) {
      const [row] = run.rows;
      if (row === undefined) continue;
      if (run.begins) {
        lostFirst = lost.has(row) ? namedBy(reference, row)[0] : undefined;
        count = 0;
      }
      count += run.rows.length;
      if (lostFirst === undefined) continue;
      const finding = { key: lostFirst.row.key, ...reference.missing(lostFirst.row, lostFirst.to) };
      if (show === "id" && run.begins) yield { ...finding, found: run.id, about: run.id };
      if (show === "number of rows" && run.ends)
        yield { ...finding, found: `${count} ${count === 1 ? "row" : "rows"}`, about: run.id };
    }
  }
}

function namedBy(reference: Reference, row: Row): readonly Named[] {
  return reference.keys(row).map((to) => ({ row, to }));
}
