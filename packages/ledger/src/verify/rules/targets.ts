/** The targets of references exist. */
import { compareBytes, type Severity, toHex } from "merostore/internal";
import { type ObjectDigest, objectType } from "../../objects.js";
import { eagerEdgeRow, lazyEdgeRow, objectRow, onlineRow } from "../../rows/page-rows.js";
import { type CheckedPage, Cursor } from "../checked-page.js";
import { type PageRule, type Problem, problem } from "../finding.js";
import { EDGE_ROWS, type EdgeParts, edgeProblem, parseEdge } from "./edges.js";

export const targets: PageRule = {
  name: "targets",
  severity: "error",
  says: "Every piece that something refers to is there, except values of lazy entries; something refers to every piece.",
  means: "Data that the page needs is missing. An info is about data that nothing needs.",
  advice: "Nothing for an info. For an error, fetch the page from its cloud again, or restore a copy of it.",
  async *check(page) {
    const heads = await page.heads();
    const [isOnline = false] = await page.present([onlineRow.key.encode({})]);
    const stored = new Cursor(page.digests());
    await stored.move();
    let last: ObjectDigest | undefined;
    for await (const rows of page.batches(EDGE_ROWS, true))
      for (const { key } of rows) {
        const edge = parseEdge(key);
        if (edge === undefined) continue;
        page.count(1);
        const { destination } = edge;
        yield* unused(stored, destination, last);
        last = destination;
        if (stored.item !== undefined && compareBytes(stored.item, destination) === 0) continue;
        const severity = await severityOf(page, edge, heads, isOnline);
        if (severity === undefined) continue;
        yield edgeProblem(severity, edge, "what it refers to is not there");
      }
    yield* unused(stored, undefined, last);
  },
};

/** Moves on to a digest, and reports the pieces on the way: nothing refers to them. */
async function* unused(
  stored: Cursor<ObjectDigest>,
  until: ObjectDigest | undefined,
  last: ObjectDigest | undefined,
): AsyncGenerator<Problem, void, undefined> {
  for (let digest = stored.item; digest !== undefined; digest = stored.item) {
    if (until !== undefined && compareBytes(digest, until) >= 0) return;
    if (last === undefined || compareBytes(digest, last) !== 0)
      yield problem(
        "info",
        objectRow,
        { digest },
        "nothing refers to it: an unfinished change left it behind, or old states kept it",
      );
    await stored.move();
  }
}

/** The severity of a missing piece; undefined if it may be missing. */
async function severityOf(
  page: CheckedPage,
  edge: EdgeParts,
  heads: ReadonlySet<string>,
  isOnline: boolean,
): Promise<Severity | undefined> {
  // Collection removes the state of an older commit once the cloud has it: the page fetches it again when it needs it.
  if ("commit" in edge) return heads.has(toHex(edge.commit)) || !isOnline ? "error" : "info";
  if (edge.row === lazyEdgeRow) return undefined;
  return (await isOfLazyValue(page, edge.source, new Set())) ? undefined : "error";
}

/** Returns whether a piece belongs only to values of lazy entries, which may be here in part. */
async function isOfLazyValue(page: CheckedPage, piece: ObjectDigest, seen: Set<string>): Promise<boolean> {
  if (objectType(piece) === "tree-node") return false;
  if (seen.has(toHex(piece))) return true;
  seen.add(toHex(piece));
  const range = eagerEdgeRow.range({ destination: piece });
  for await (const rows of page.rowsOf(eagerEdgeRow, { keysOnly: true, range }))
    for (const { parts } of rows) if (!(await isOfLazyValue(page, parts.source, seen))) return false;
  return true;
}
