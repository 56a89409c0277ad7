/** Contexts and namespaces that have only their history here. */
import { expect, it } from "vitest";
import { cli, linesOf, sharedCopy } from "../run.js";

const db = sharedCopy("core-0.11/every-kind-tables");

const rowsOf = async (kind: string): Promise<readonly string[]> => {
  const { stdout } = await cli("scan", db, kind, "--json", "--keys-only");
  return linesOf(stdout)
    .map((line) => (JSON.parse(line) as { readonly parts: { readonly deltaId: string } }).parts.deltaId)
    .toSorted();
};

it("are in the log of the node, and in that of SQL", async () => {
  const [deltas, operations] = [await rowsOf("ContextDagDelta"), await rowsOf("NamespaceGovOp")];
  const logged = linesOf((await cli("log", db, "--json")).stdout).map(
    (line) => JSON.parse(line) as { readonly id: string; readonly log?: string },
  );
  const idsOf = (isOperation: boolean): readonly string[] =>
    logged
      .filter(({ log }) => (log === "namespace") === isOperation)
      .map(({ id }) => id)
      .toSorted();
  expect(deltas).toHaveLength(6);
  expect(idsOf(false)).toEqual(deltas);
  // One operation does not decode.
  expect(operations).toHaveLength(6);
  expect(idsOf(true)).toHaveLength(5);
  expect(operations).toEqual(expect.arrayContaining([...idsOf(true)]));
  const [counts = ""] = linesOf((await cli("sql", db, "select count(*) as n from log", "--json")).stdout);
  expect(JSON.parse(counts)).toEqual({ n: 11 });
});
