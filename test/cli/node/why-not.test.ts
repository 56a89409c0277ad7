/** Whether a member may do something. Expected answers were worked out by hand from the operations of rows.jsonl. */
import { describe, expect, it } from "vitest";
import { copyOfDatabase, fixturePath } from "../../support/fixtures.js";
import { cli, linesOf, played } from "../run.js";

const nodeA = fixturePath("core-0.11/node-a/db");
const nodeC = fixturePath("core-0.11/node-c/db");
const old = fixturePath("core-0.10/node-a/db");

/** The status and the lines, spaces put together. */
async function asked(...words: readonly string[]): Promise<readonly [number | null, readonly string[]]> {
  const { status, stdout } = await played(160, "why-not", ...words, "--utc");
  return [status, linesOf(stdout).map((line) => line.trim().replace(/ +/g, " "))];
}

describe("why-not", () => {
  it("names the operation with which a member left", async () => {
    expect(await asked(nodeA, "Zoë", "write", "lobby")).toEqual([
      1,
      [
        "Zoë (e8e04d8c) may not write in lobby (b875f1c0): left office (fa3977a2)",
        "member no left office (fa3977a2)",
        "operation 28 (5b7cf7f6): Zoë (e8e04d8c) left office (fa3977a2)",
        "device yes device ff1da5cc bound to the account",
        expect.stringMatching(
          /^operation 12 \(a14dc137\): Zoë .* joined office .* at 2026-11-21 05:51:14 UTC$/,
        ),
        "key ? not known: a database has the keys of its own node only",
      ],
    ]);
  });

  it("answers as of a moment: before a member joined, and before it left", async () => {
    const [before, early] = await asked(nodeA, "38ec7407", "write", "lobby", "--at", "8");
    expect(before).toBe(1);
    expect(early[0]).toBe(
      "38ec7407 may not write in lobby (b875f1c0), as of operation 8 (116eaf9d): is not a member of office (fa3977a2)",
    );
    const [then, lines] = await asked(nodeA, "Zoë@office", "write", "lobby", "--at", "20");
    expect(then).toBe(0);
    expect(lines).toContain("role yes Member may write");
  });

  it("names the needed capability and the held ones", async () => {
    const [no, lines] = await asked(nodeA, "38ec7407@office", "add-member");
    expect(no).toBe(1);
    expect(lines[0]).toBe(
      "38ec7407 may not add members to office (fa3977a2): needs MANAGE_MEMBERS in office (fa3977a2), and has CAN_CREATE_CONTEXT, CAN_INVITE_MEMBERS",
    );
    expect(lines.join("\n")).toContain("operation 15 (9585f668): this node (de2a2d20) set the capabilities");
    expect((await asked(nodeA, "38ec7407", "create-context", "office"))[0]).toBe(0);
    // Admins need no capability.
    expect((await asked(nodeA, "this node", "add-member", "office"))[0]).toBe(0);
    expect((await asked(nodeA, "this node", "leave", "office"))[1][0]).toContain(
      "the owner of office (fa3977a2) cannot leave it",
    );
  });

  it("tells that an open group is closed for whom the group above gives no capability", async () => {
    const [status, lines] = await asked(nodeA, "38ec7407", "write", "design6");
    expect(status).toBe(1);
    expect(lines[1]).toContain("without CAN_JOIN_OPEN_SUBGROUPS there");
    expect((await asked(nodeA, "38ec7407", "write", "design6", "--at", "11"))[0]).toBe(0);
  });

  it("knows the keys of the database's own node", async () => {
    const [, mine] = await asked(nodeA, "this node", "write", "lobby");
    expect(mine.at(-1)).toBe(
      "key yes this node holds the key 48a30c76, and each under which an operation here is sealed",
    );
    const [, then] = await asked(nodeA, "this node", "write", "lobby", "--at", "5");
    expect(then.at(-1)).toBe(
      "key yes this node holds each key under which an operation until then is sealed",
    );
    const [status, gone] = await asked(nodeC, "this node", "write", "b875f1c0");
    expect(status).toBe(1);
    expect(gone[0]).toBe("this node (e8e04d8c) may not write in Lobby 6 (b875f1c0): left fa3977a2");
  });

  it("names the operation that bound the device, and not one by which the member invited another", async () => {
    for (const words of [
      ["write", "lobby"],
      ["write", "lobby", "--at", "20"],
      ["leave", "office"],
    ]) {
      const { stdout } = await played(160, "why-not", nodeA, "this node", ...words, "--json");
      const { steps } = JSON.parse(stdout) as { steps: readonly { question: string; says: string }[] };
      expect(steps.find(({ question }) => question === "device")).toMatchObject({
        says: "device 88fa7d42 bound to the account",
        operation: { sequence: "1", kind: "NamespaceCreated" },
      });
    }
  });

  it("answers by the rules of core-0.10", async () => {
    expect((await asked(old, "this node", "write", "lobby"))[0]).toBe(0);
    const [no, lines] = await asked(old, "8a351a82", "set-metadata", "office");
    expect([no, lines[0]]).toEqual([
      1,
      "8a351a82 may not set name and metadata of office (04eadf57): needs to be an admin of office (04eadf57)",
    ]);
  });

  it("has the same in JSON", async () => {
    const { stdout } = await played(0, "why-not", nodeA, "Zoë", "write", "lobby", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      member: { name: "Zoë" },
      action: "write",
      context: { name: "lobby" },
      group: { name: "office" },
      allowed: false,
      steps: [
        { question: "member", holds: false, operation: { kind: "MemberLeft", sequence: "28" } },
        { question: "device", holds: true },
        { question: "key", holds: null, operation: null },
      ],
    });
  });

  it("says that other nodes may answer otherwise, where a row differs from the replay of the operations", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const [groupId, account] = [
      "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05",
      "38ec74070851ead4ac9ee8efcb1f510b9d993452eec922c3a8a677c5a57d4774",
    ];
    const autoFollow = { contexts: true, subgroups: false };
    const value = JSON.stringify({ role: "Admin", privateKey: null, senderKey: null, autoFollow });
    const row = ["GroupMember", `groupId=${groupId}`, `account=${account}`, "--value", value, "--force"];
    expect((await cli("put", copy.path, ...row)).status).toBe(0);
    const { status, stdout, stderr } = await played(
      200,
      "why-not",
      copy.path,
      "38ec7407",
      "add-admin",
      "office",
    );
    expect(status).toBe(0);
    expect(stdout).toContain("38ec7407 may add admins to office");
    expect(stderr).toContain(
      "merostore: the row of 38ec7407 follows from signed operations, and MemberJoinedAt (operation 1d439c1b) set it otherwise: role; other nodes may answer otherwise",
    );
  });

  it("refuses names that are not a member, an action or a place", async () => {
    for (const [words, expected, text] of [
      [["nobody", "write", "lobby"], 1, 'has the name or id "nobody"'],
      [["Zoë", "fly", "lobby"], 2, "no action is called fly; they are write, invite"],
      [["Zoë", "write"], 2, "name a group or a context, or the member as member@group"],
      [["Zoë@nowhere", "write"], 1, 'has the name or id "nowhere"'],
    ] as const) {
      const { status, stderr } = await played(120, "why-not", nodeA, ...words);
      expect(status).toBe(expected);
      expect(stderr).toContain(text);
    }
    const { status, stderr } = await played(120, "why-not", old, "this node", "leave", "office");
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("who may leave a group in core-0.10 is not known"),
    ]);
  });
});
