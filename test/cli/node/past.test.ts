/** Groups as of an operation, and how members came about. Expected texts were written by hand from rows.jsonl. */
import { describe, expect, it } from "vitest";
import { CalimeroNode, openNode } from "../../../src/node/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { linesOf, played } from "../run.js";

const nodeA = fixturePath("core-0.11/node-a", "db");
const nodeC = fixturePath("core-0.11/node-c", "db");

async function seen(...words: readonly string[]): Promise<readonly string[]> {
  const { status, stdout } = await played(140, ...words);
  expect(status).toBe(0);
  return linesOf(stdout);
}

/** The members, without the line that names the moment and the head of the table. */
const names = (lines: readonly string[]): readonly string[] => {
  expect(lines[0]).toMatch(/^as of operation \d+ \([0-9a-f]{8}\)$/);
  return lines.slice(2).map((line) => line.replace(/ {2,}.*/, ""));
};

describe("--at", () => {
  it("shows the members as they were: one joined, two joined, one left", async () => {
    const before = names(await seen("members", nodeA, "office", "--at", "116eaf9d"));
    expect(before).toEqual(["this node (de2a2d20)"]);
    const first = names(await seen("members", nodeA, "office", "--at", "1d439c1b"));
    expect(first).toEqual(["this node (de2a2d20)", "38ec7407"]);
    const named = names(await seen("members", nodeA, "office", "--at", "b6e29ae0"));
    expect(named).toEqual(["this node (de2a2d20)", "Zoë (e8e04d8c)", "38ec7407"]);
    const left = names(await seen("members", nodeA, "office", "--at", "5b7cf7f6"));
    expect(left).toEqual(["this node (de2a2d20)", "38ec7407"]);
  });

  it("shows the tree of groups before there were any below", async () => {
    const tree = (await seen("groups", nodeC, "--at", "06ffb190")).filter((line) => /^[├└]/.test(line));
    expect(tree).toEqual([]);
    const now = (await seen("groups", nodeC)).filter((line) => /^[├└]/.test(line));
    expect(now).toHaveLength(2);
  });

  it("takes a time as everything made by then, on every head of a forked log", async () => {
    const forked = fixturePath("core-0.11-apps/healed-n2", "db");
    const [moment, ...then] = await seen("members", forked, "orchard north", "--at", "2026-11-30");
    expect(moment).toBe("as of operation 57 (76f7efd8), with 662f794f beside it");
    expect(then).toEqual(await seen("members", forked, "orchard north"));
    expect(then.join()).toContain("Cäsar allein (05bbb3e4)");
    const printed = await seen("log", forked, "orchard north", "--at", "2026-11-30", "--json");
    expect(printed).toEqual(await seen("log", forked, "orchard north", "--times", "--json"));
    const [first = ""] = await seen("members", forked, "orchard north", "--at", "2026-11-30", "--json");
    expect(JSON.parse(first).at.heads.map((id: string) => id.slice(0, 8))).toEqual(["76f7efd8", "662f794f"]);
  });

  it("leads to the state whose hash the removal asserts", async () => {
    await using node = await openNode(nodeC);
    let checked = 0;
    for await (const operation of node.history("fa3977a2")) {
      const { op, id, group } = operation;
      if (op === undefined || !("expectedGroupStateHash" in op)) continue;
      const then = await (await node.at(id)).groupDetails(group.id);
      expect(then?.stateHash).toBe(Buffer.from(op.expectedGroupStateHash).toString("hex"));
      checked++;
    }
    expect(checked).toBe(2);
  });

  it("refuses what is no operation, and what cannot be changed", async () => {
    const { status, stderr } = await played(140, "groups", nodeA, "--at", "ffff0000");
    expect(status).toBe(2);
    expect(stderr).toContain("no operation in the database has the name or id");
    await using node = await openNode(nodeA);
    await expect(node.at("00".repeat(32))).rejects.toMatchObject({ code: "UNKNOWN_NAME" });
    expect(await node.at("5b7cf7f6")).toBeInstanceOf(CalimeroNode);
  });
});

describe("a moment", () => {
  it("is an operation by its id or number, or a time that leaves nothing open", async () => {
    const byId = await seen("members", nodeA, "office", "--at", "1d439c1b");
    expect(await seen("members", nodeA, "office", "--at", "9")).toEqual(byId);
    const [last] = await seen("members", nodeA, "office", "--at", "2026-11-21T05:52Z");
    expect(last).toBe("as of operation 29 (c30b7f57)");
    expect((await seen("groups", nodeA, "design6", "--at", "9")).join("\n")).toContain(
      "operation 9 (1d439c1b)",
    );
  });

  it("is refused where it is not one, or several, or the rows leave it open", async () => {
    const old = fixturePath("core-0.10/node-a", "db");
    for (const [words, text] of [
      [["members", nodeA, "office", "--at", "99"], "no operation of the log has the number 99"],
      [
        ["groups", nodeA, "--at", "2"],
        "6 operations have the number 2: eb152021 of kv_store_with_shared_storage",
      ],
      [["groups", nodeA, "--at", "2026-11-21T05:52Z"], "each namespace has a log of its own"],
      [
        ["members", nodeA, "office", "--at", "2026-11-21T05:51:30Z"],
        "15 operations may or may not have been made by then: the newest of them, operation 29 (c30b7f57), was made between 2026-11-21 05:51:14",
      ],
      [["members", old, "office", "--at", "2026-11-22"], "was made at an unknown time"],
      [["log", nodeA, "office", "--own", "--at", "9"], "--at"],
      [
        ["contexts", nodeA, "lobby", "--at", "1d439c1b"],
        "no applied delta of the context begins with 1d439c1b",
      ],
    ] as const) {
      const { status, stdout, stderr } = await played(140, ...words);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(text);
    }
  });

  it("ends the log of a group below its namespace, and that of a context", async () => {
    const money = await seen("log", nodeA, "Money", "--at", "9");
    expect(money.filter((line) => /^ {2,3}\d/.test(line)).map((line) => line.slice(0, 14).trim())).toEqual([
      "5  b54bf016",
      "3  73ccb764",
    ]);
    const lobby = await seen("log", nodeA, "lobby", "--at", "20", "--limit", "1", "--utc");
    expect(lobby[0]).toBe("as of delta 20 of 155 (fb56c6d8), 2026-11-21 05:51:20 UTC");
    expect(lobby[1]).toContain("fb56c6d8");
  });

  it("shows of contexts what deltas and operations prove", async () => {
    const lobby = await seen("contexts", nodeA, "lobby", "--at", "20", "--utc");
    expect(lobby.slice(2)).toEqual([
      "as of      delta 20 of 155 (fb56c6d8), 2026-11-21 05:51:20 UTC",
      "root hash  4479f0121a3c23de930365820242eadae9310607de5426e00e853ba5011ba227",
      "certainty  proven: it has the root hash of the delta's author",
      "deltas     20 of 155",
    ]);
    const then = await seen("contexts", nodeA, "--at", "1d439c1b");
    expect(then.slice(2)).toEqual([
      "lobby (b875f1c0)  office (fa3977a2)",
      "old (8d587abf)    design6 (d3c1ecd7)",
    ]);
    const { stdout } = await played(0, "contexts", nodeA, "--at", "2026-11-21T05:51:40Z", "--json");
    const rows = linesOf(stdout).map((line) => JSON.parse(line) as { name: string; deltas: number });
    expect(rows.find(({ name }) => name === "lobby")).toMatchObject({ deltas: 52, verdict: "proven" });
    expect(rows.map(({ name }) => name)).not.toContain("private");
  });
});

describe("log --explain", () => {
  it("names the operations that made a member what it is, with the rows that they changed", async () => {
    const lines = await seen("log", nodeA, "office", "--explain", "38ec7407", "--utc");
    expect(lines.map((line) => line.trim().replace(/ +/g, " "))).toEqual([
      "9 1d439c1b 38ec7407 joined office (fa3977a2) as Member, invited by this node (de2a2d20), at 2026-11-21 05:51:12 UTC",
      "sets GroupMember, GroupMemberCapability, GroupAccountKey, GroupAccountEndorser",
      "15 9585f668 this node (de2a2d20) set the capabilities of 38ec7407 in office (fa3977a2) to CAN_CREATE_CONTEXT, CAN_INVITE_MEMBERS",
      "sets GroupMemberCapability",
    ]);
  });

  it("goes on after the member left", async () => {
    const lines = await seen("log", nodeA, "office", "--explain", "e8e04d8c", "--limit", "2");
    expect(lines.filter((line) => /sets|removes/.test(line)).map((line) => line.trim())).toEqual([
      "sets GroupDeniedMember, GroupReentryBlock, GroupPendingKeyRotation, GroupInheritedDeniedMember; removes GroupMember,",
      "removes GroupPendingKeyRotation",
    ]);
  });

  it("has the same in JSON", async () => {
    const { stdout } = await played(140, "log", nodeA, "office", "--explain", "38ec7407", "--json");
    const [joined] = linesOf(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(joined).toMatchObject({
      operation: { kind: "MemberJoinedAt", sequence: "9" },
      cause: null,
      set: ["GroupMember", "GroupMemberCapability", "GroupAccountKey", "GroupAccountEndorser"],
      removed: [],
    });
  });
});

it("groups say which operation founded them", async () => {
  const lines = await seen("groups", nodeA, "Money");
  expect(lines.find((line) => line.startsWith("founded"))).toBe(
    "founded          operation 3, by this node (de2a2d20)",
  );
});
