/**
 * Corruptions of a node's database: rows of all kinds are removed, changed, exchanged, copied and moved, one at a time.
 * `corruptions/floor.ts` has the least severity for each kind.
 */
import { describe, expect, it } from "vitest";
import { importTypeScript } from "../../scripts/typescript.mjs";
import { fixturePath } from "../support/fixtures.js";
import { DEEDS } from "./corruptions/cases.js";
import { floor } from "./corruptions/floor.js";

/** Rows of each kind in each database. If the environment has a number, the table is printed too. */
const MOST = Number(process.env.CORRUPTIONS ?? 1);

describe("what verify says of corruptions", () => {
  // Built code halves the time of verification.
  const figures = importTypeScript<typeof import("./corruptions/run.js")>(
    "test/verify/corruptions/run.ts",
  ).then(({ corruptRows }) => corruptRows(fixturePath(), MOST, process.env.CORRUPTIONS !== undefined));

  it("is as severe as the list says, for each kind and deed", async () => {
    const { found, table } = await figures;
    if (process.env.CORRUPTIONS !== undefined) console.log(table.join("\n"));
    const wrong: string[] = [];
    for (const { revision, kind, deed, outcome, line } of found) {
      const least = floor[revision]?.[kind]?.[DEEDS.indexOf(deed)];
      if (least === undefined) wrong.push(`${revision} ${kind} is not in the list`);
      else if (!isAtLeast(outcome, least)) wrong.push(`${line}: at least ${least} is listed`);
    }
    expect(wrong).toEqual([]);
  });

  it("covers the list: the databases have each kind", async () => {
    const done = new Set((await figures).found.map(({ revision, kind }) => `${revision} ${kind}`));
    const listed = Object.entries(floor).flatMap(([revision, kinds]) =>
      Object.keys(kinds).map((kind) => `${revision} ${kind}`),
    );
    expect([...done].sort()).toEqual(listed.sort());
  });
});

const ORDER = ["none", "info", "warning", "error"] as const;

function isAtLeast(outcome: (typeof ORDER)[number], least: (typeof ORDER)[number] | "-"): boolean {
  return least !== "-" && ORDER.indexOf(outcome) >= ORDER.indexOf(least);
}
