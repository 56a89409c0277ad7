/**
 * Groups and contexts without rows: deleted ones, later ones, ones that only an alias names. Expected texts were made
 * by hand from rows.jsonl.
 */
import { describe, expect, it } from "vitest";
import { openNode } from "../../../src/node/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { intoPipe, linesOf, played, sharedCopy } from "../run.js";

const nodeA = fixturePath("core-0.11/node-a", "db");
const log = fixturePath("core-0.11/log", "db");
const oldNode = fixturePath("core-0.10/node-a", "db");

/** The error of a command that is refused. */
async function refusal(expected: number, ...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await played(140, ...words);
  expect(status).toBe(expected);
  expect(stdout).toBe("");
  return stderr.trim();
}

async function seen(...words: readonly string[]): Promise<readonly string[]> {
  const { status, stdout } = await played(140, ...words);
  expect(status).toBe(0);
  return linesOf(stdout);
}

describe("a group that was deleted", () => {
  const told =
    'merostore: group fb371b2c is deleted: operation 26 (07039c56) created it, operation 27 (80c5add4) deleted it; "merostore log DB fb371b2c" shows its operations';

  it("is told of with the operations that made and deleted it", async () => {
    for (const command of ["groups", "members"])
      expect(await refusal(1, command, nodeA, "fb371b2c")).toBe(told);
    // Deleted with its parent, whose group below came later.
    expect(await refusal(1, "groups", log, "e3d26243")).toBe(
      'merostore: group e3d26243 is deleted: operation 79 (cbdd59b7) created it, operation 82 (cc37f6f5) deleted it; "merostore log DB e3d26243" shows its operations',
    );
  });

  it("is called deleted by show too", async () => {
    const lines = await seen("show", nodeA, "fb371b2c");
    expect(lines).toContain(
      "state                  deleted: operation 26 (07039c56) created it, operation 27 (80c5add4) deleted it",
    );
  });

  it("has a log", async () => {
    const lines = await seen("log", nodeA, "fb371b2c");
    const operations = lines.map((line) => line.slice(0, 14)).filter((start) => /^ +\d+ {2}/.test(start));
    expect(operations).toEqual(["  27  80c5add4", "  26  07039c56"]);
  });

  it("is a group to the library, with a history and without members", async () => {
    await using node = await openNode(nodeA);
    const named = await node.resolve("fb371b2c");
    expect(named.kind).toBe("group");
    expect(await node.group("fb371b2c")).toBeUndefined();
    await expect(node.members("fb371b2c")).rejects.toMatchObject({ code: "UNKNOWN_NAME" });
    const kinds = [];
    for await (const { kind } of node.history("fb371b2c")) kinds.push(kind);
    expect(kinds).toEqual(["GroupDeleted", "GroupCreated"]);
  });
});

describe("--at", () => {
  it("tells of a group that did not exist yet", async () => {
    const told =
      'merostore: group Money (57f93142) did not exist right after operation 1 (06ffb190): operation 3 (73ccb764) created it; "merostore log DB 57f93142" shows its operations';
    for (const command of ["groups", "members"])
      expect(await refusal(1, command, nodeA, "Money", "--at", "06ffb190")).toBe(told);
  });

  it("refuses a group of another namespace", async () => {
    expect(await refusal(2, "groups", nodeA, "sorted_kv_store", "--at", "06ffb190")).toBe(
      "merostore: --at: operation 1 (06ffb190) is in the log of namespace office (fa3977a2), not in that of sorted_kv_store (bf377558)",
    );
  });

  it("shows the namespace of the operation alone, and names the moment", async () => {
    const [moment, ...tree] = await seen("groups", nodeA, "--at", "73ccb764");
    expect(moment).toBe("as of operation 3 (73ccb764)");
    expect(tree.map((line) => line.replace(/ {2}.*/, ""))).toEqual([
      "office (fa3977a2)",
      "├─ design6 (d3c1ecd7)",
      "└─ 57f93142",
    ]);
    const { stdout } = await intoPipe("groups", nodeA, "--at", "73ccb764", "--json");
    const groups = linesOf(stdout).map((line) => JSON.parse(line) as { readonly at: object });
    expect(groups).toHaveLength(3);
    for (const { at } of groups) expect(at).toMatchObject({ sequence: "3", namespace: { name: "office" } });
  });

  it("marks what is of today", async () => {
    const lines = await seen("groups", nodeA, "office", "--at", "06ffb190");
    expect(lines).toContain("as of                operation 1 (06ffb190)");
    expect(lines.filter((line) => / now /.test(line)).map((line) => line.replace(/ {2,}.*/, ""))).toEqual([
      "keys now",
      "namespace's log now",
      "own log now",
    ]);
    const { stdout } = await intoPipe("groups", nodeA, "office", "--at", "06ffb190", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      at: { sequence: "1" },
      asNow: ["keys", "namespaceLog", "ownLog", "pending", "unreadOperations", "upgrade"],
    });
    expect((await seen("groups", nodeA, "office")).filter((line) => / now /.test(line))).toEqual([]);
  });
});

describe("a context that only an alias names", () => {
  it("is told of", async () => {
    expect(await refusal(1, "contexts", log, "863098e6")).toBe(
      'merostore: context leftover (863098e6) has no ContextMeta and no group: only an alias, deltas or operations name it; "merostore show DB 863098e6" lists the rows that have its id',
    );
  });

  it("has the deltas that are there", async () => {
    expect(await seen("log", log, "863098e6", "--limit", "1")).not.toEqual([]);
  });
});

describe("an alias of a context", () => {
  const copy = sharedCopy("core-0.11/node-a");
  const alias = ["Alias", "aliasKind=context", "scope=none", "name=z", "--value"];
  const member = "38ec74070851ead4ac9ee8efcb1f510b9d993452eec922c3a8a677c5a57d4774";

  it("does not take the id of a member by its first digits, but that of a context", async () => {
    expect(await refusal(2, "put", copy, ...alias, '"38ec7407"')).toContain("no context has the text there");
    const { status, stdout } = await played(0, "put", copy, ...alias, '"old"', "--dry-run");
    expect(status).toBe(0);
    expect(stdout).toContain("8d587abf86f8ed5cc2bc200cd700dc09f1c714538b62947ac09e2b608ee64b90");
  });

  it("that names a member crashes no command", async () => {
    await played(0, "put", copy, ...alias, `"${member}"`);
    for (const command of ["contexts", "log"])
      expect(await refusal(1, command, copy, "z")).toContain("context z (38ec7407) has no ContextMeta");
    expect((await played(0, "show", copy, "z")).status).toBe(0);
  });

  it("that is put again is not written again", async () => {
    await played(0, "put", copy, ...alias, `"${member}"`);
    const { stdout, stderr } = await played(0, "put", copy, ...alias, `"${member}"`);
    expect(stdout).toContain("Alias in Alias unchanged: the row already has this value");
    expect(stderr).toBe("merostore: the row has this value: nothing was written\n");
  });
});

it("explaining a member leaves out the operations that it only signed", async () => {
  const { stdout } = await intoPipe("log", oldNode, "office", "--explain", "075208bd", "--json");
  const sets = linesOf(stdout).map((line) => (JSON.parse(line) as { readonly set: readonly string[] }).set);
  expect(sets).toEqual([["GroupMember"]]);
});
