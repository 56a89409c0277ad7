/** `ledger log --graph`, `ledger show`, `ledger diff`, and `--at`. */
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, intoPipe, linesOf, onTerminal } from "../../../../test/cli/run.js";
import { temporaryFolder } from "../../../../test/engines/temporary.js";
import { openLedger } from "../../src/index.js";
import { begin, ticking } from "../support.js";
import { jsonOf, repository } from "./repository.js";

const FIRST = "00".repeat(32);
let folder = "";
/** The ids of the commits: the base, two branches, their merge. */
let ids: string[] = [];

beforeAll(async () => {
  folder = join(temporaryFolder(), "repository");
  await using ledger = await openLedger(folder, { name: "contacts", history: "keep", clock: ticking(10n) });
  const [one, two] = [await ledger.rootPage(), await ledger.rootPage()];
  await one.transaction(async (tx) => {
    await tx.put("name", "Alice");
    await tx.put("old", "gone soon");
  });
  const tx = await begin(one);
  await two.put("photo", "p".repeat(5000), { priority: "lazy" });
  await tx.put("name", "Bob ".repeat(20));
  await tx.delete("old");
  await tx.commit();
  await one.waitForConflictResolution();
  const commits: string[] = [];
  for await (const { id } of one.history()) commits.unshift(Buffer.from(id).toString("hex"));
  const [, base = "", left = "", right = "", merge = ""] = commits;
  await using deleted = await one.snapshotAt(left);
  const isLeft = await deleted.has("old");
  ids = isLeft ? [base, left, right, merge] : [base, right, left, merge];
});

describe("ledger log --graph", () => {
  it("draws branches and their merge", async () => {
    const { stdout } = await onTerminal("ledger", "log", "--graph", folder);
    const marks = linesOf(stdout).map((line) => /^[ *│├─╮╯]*(?=$|[0-9a-f ])/.exec(line)?.[0].trimEnd());
    expect(marks).toEqual(["*", "├─╮", "│ *", "│ │", "* │", "├─╯", "*", "│", "*"]);
    const shown = linesOf(stdout).filter((line) => /\*/.test(line));
    expect(shown[0]).toContain((ids[3] as string).slice(0, 16));
    expect(await cli("ledger", "log", "--graph", "--json", folder)).toMatchObject({ status: 2 });
  });
});

describe("ledger show", () => {
  it("shows a commit and what it changed, since each parent of a merge", async () => {
    const [base = "", left = "", right = "", merge = ""] = ids;
    const [commit, ...changes] = jsonOf(await intoPipe("ledger", "show", "--json", folder, merge));
    expect(commit).toMatchObject({ id: merge, generation: "3", merge: true, head: true, pruned: [] });
    const of = (since: string) => changes.filter((change) => change.since === since);
    expect(of(left)).toMatchObject([
      { change: "changed", text: "name", before: 5, after: 80 },
      { change: "removed", text: "old", before: 9 },
    ]);
    expect(of(right)).toMatchObject([{ change: "added", text: "photo", after: 5000, priority: "lazy" }]);
    const { stdout } = await onTerminal("ledger", "show", folder, base.slice(0, 10));
    expect(linesOf(stdout).map((line) => line.split(/ {2,}/))).toEqual([
      ["commit", base, "unsynced"],
      ["generation", "1"],
      ["time", expect.stringMatching(/^1970-01-01 00:00:00/)],
      ["root", expect.stringMatching(/^04[0-9a-f]{64}$/)],
      ["since", FIRST],
      ["+ name", "5 bytes"],
      ["+ old", "9 bytes"],
    ]);
  });

  it("names a commit by first digits, and refuses unknown ones and texts that are not an id", async () => {
    expect(await cli("ledger", "show", folder, "ffffffffff")).toMatchObject({ status: 1, stdout: "" });
    expect((await cli("ledger", "show", folder, "ffffffffff")).stderr).toMatch(
      /^merostore: COMMIT_NOT_FOUND: /,
    );
    for (const wrong of ["abc", "name", `${FIRST}00`])
      expect(await cli("ledger", "show", folder, wrong)).toMatchObject({ status: 2, stdout: "" });
    // Also the first digits that `ledger log` shows of the first commit.
    for (const first of ["first", FIRST, FIRST.slice(0, 16), "0000"])
      expect(jsonOf(await intoPipe("ledger", "show", "--json", folder, first))).toMatchObject([
        { generation: "0" },
      ]);
  });

  it("says that a parent was removed", async () => {
    const pruned = await repository();
    const { stdout } = await onTerminal("ledger", "show", pruned, "head");
    expect(stdout).toMatch(/\nsince {7}[0-9a-f]{64} {2}removed\n$/);
  });
});

describe("ledger diff", () => {
  it("shows the entries that differ, with status 1, and nothing for equal commits", async () => {
    const [base = "", , , merge = ""] = ids;
    const outcome = await onTerminal("ledger", "diff", folder, base, "head");
    expect(outcome.status).toBe(1);
    expect(linesOf(outcome.stdout)).toEqual([
      "~ name  5 bytes → 80 bytes",
      "- old  9 bytes",
      "+ photo  5,000 bytes",
    ]);
    expect(await cli("ledger", "diff", folder, merge, "head")).toMatchObject({ status: 0, stdout: "" });
    for (const limit of ["0", "1"])
      expect(await cli("ledger", "diff", folder, base, "head", "--limit", limit)).toMatchObject({
        status: 1,
      });
    const back = await intoPipe("ledger", "diff", "--json", folder, "head", FIRST, "--limit", "1");
    expect(jsonOf(back)).toEqual([
      { change: "removed", key: "6e616d65", text: "name", priority: "eager", before: 80 },
      { $more: true },
    ]);
  });
});

it("entries and get --at show the page as it was", async () => {
  const [base = ""] = ids;
  const entries = jsonOf(await intoPipe("ledger", "entries", "--json", folder, "--at", base));
  expect(entries).toMatchObject([{ text: "name", size: 5 }, { text: "old" }]);
  expect((await intoPipe("ledger", "get", folder, "name", "--at", base)).stdout).toBe("Alice");
});

it("put leaves the history of the page as it is", async () => {
  const before = jsonOf(await intoPipe("ledger", "log", "--json", folder)).length;
  await intoPipe("ledger", "put", folder, "more", "1");
  expect(jsonOf(await intoPipe("ledger", "log", "--json", folder))).toHaveLength(before + 1);
});
