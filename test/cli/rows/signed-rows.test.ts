/** `put` and `delete` of rows that follow from signed operations, on histories that other nodes made. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { replayFacts } from "../../../src/node/index.js";
import { openStore } from "../../../src/store/index.js";
import { copyDatabase } from "../../../src/transfer/index.js";
import { revision10 } from "../../node/replay/histories/core-10.js";
import { revision011 } from "../../node/replay/histories/core-011.js";
import { writeSite } from "../../node/replay/histories/site-database.js";
import { History, type Site } from "../../node/replay/histories/writer.js";
import { temporaryFolder } from "../../support/fixtures.js";
import { cli, linesOf } from "../run.js";

/** The rows of a folder that operations speak against. */
async function accused(path: string): Promise<readonly string[]> {
  await using store = await openStore(path);
  const found: string[] = [];
  for await (const fact of replayFacts(store))
    if (fact.fact === "row" && !["proven", "explained"].includes(fact.status))
      found.push(`${fact.kind} ${fact.status}`);
  return found;
}

/** The words of the command that an output ends with. */
function undoOf(stdout: string): readonly string[] {
  const line = linesOf(stdout).find((one) => one.startsWith("undo: merostore ")) ?? "";
  return [...line.slice("undo: merostore ".length).matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

describe.each([
  ["core-1.0", revision10],
  ["core-0.11", revision011],
])("%s", (_, revision) => {
  it("a member is changed and deleted with --force alone, and the undo brings it back", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "db");
    const history = new History(1, revision);
    const [founder] = history.sites as [Site];
    const [other = ""] = history.others;
    const op = { kind: "MemberAdded", member: fromHex(other), role: "Member" } as const;
    history.make(founder, { group: history.namespace, op });
    await using store = await writeSite(founder);
    await copyDatabase(store.raw, path);
    const words = [path, "GroupMember", `groupId=${history.namespace}`, `account=${other}`];
    const stored = JSON.parse((await cli("show", ...words, "--json")).stdout) as { readonly decoded: object };
    const changed = ["--value", JSON.stringify({ ...stored.decoded, role: "ReadOnly" })];
    const id = (history.made.at(-1)?.id ?? "").slice(0, 8);
    for (const [word, more, says, status] of [
      ["put", changed, "set it otherwise: role", "differs"],
      ["delete", [], "made it", "missing"],
    ] as const) {
      const refused = await cli(word, ...words, ...more);
      expect(refused).toEqual({
        status: 2,
        stdout: "",
        stderr: `merostore: GroupMember follows from signed operations, and MemberAdded (operation ${id}) ${says}; other nodes do not get this change. To write it anyway: --force\n`,
      });
      expect(await accused(path)).toEqual([]);
      const dry = await cli(word, ...words, ...more, "--dry-run");
      expect([dry.status, linesOf(dry.stderr)[0]]).toEqual([
        2,
        expect.stringMatching(/Without --force it will be refused$/),
      ]);
      const forced = await cli(word, ...words, ...more, "--force");
      expect(forced.status).toBe(0);
      expect(await accused(path)).toEqual([`GroupMember ${status}`]);
      if (word === "put") {
        const listed = (await cli("members", path, history.namespace)).stdout;
        expect(listed).toContain(`! ${other}: the row follows from signed operations, and MemberAdded`);
        expect(listed).toContain("ReadOnly !");
      }
      expect(await cli(...undoOf(forced.stdout))).toMatchObject({ status: 0 });
      expect(await accused(path)).toEqual([]);
    }
    const stranger = [
      path,
      "GroupMember",
      `groupId=${history.namespace}`,
      `account=${toHex(new Uint8Array(32).fill(7))}`,
    ];
    const added = await cli("put", ...stranger, ...changed, "--force");
    expect(await cli(...undoOf(added.stdout))).toMatchObject({ status: 0 });
    expect(await accused(path)).toEqual([]);
  });
});
