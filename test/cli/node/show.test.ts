/** The output of `show` for things of all kinds. Expected texts were made by hand from rows.jsonl. */
import { describe, expect, it } from "vitest";
import { toBase58 } from "../../../src/bytes/base58.js";
import { fromHex } from "../../../src/bytes/hex.js";
import { fixturePath } from "../../support/fixtures.js";
import { intoPipe, linesOf, played } from "../run.js";

const db = fixturePath("core-0.11/node-a", "db");

async function seen(...words: readonly string[]): Promise<readonly string[]> {
  const { status, stdout } = await played(200, "show", db, ...words);
  expect(status).toBe(0);
  return linesOf(stdout);
}

describe("show explains an id that is not a thing of its own", () => {
  const rootHash = "79f820a65301403e0ece8e4383db17777233df177e730c877924da96d3da7569";
  const entity = "5fff16a0673221a896576372448929ea450270c97823cb5e68fa0dda3110a937";
  const stateKey = "ace6f2f1e8f2166374128462400ddd8a214e22f8966a39758ec91726dcac0bae";
  const groupKey = "87293d973c2068bc4d7e603df7d086f1c8cb9ce21048b96efacf2b9be21d947d";

  it("a root hash", async () => {
    expect(await seen(rootHash)).toEqual(
      expect.arrayContaining([
        "root hash              of context private (321161a6)",
        "rows that refer to it  ContextMeta 1, ContextState 1, ContextDagDelta 2",
      ]),
    );
  });

  it("an entity of a state, with its row", async () => {
    expect(await seen(entity)).toEqual(
      expect.arrayContaining([
        "entity                 in the state of context private (321161a6)",
        `state key              ${stateKey}`,
        "parent                 321161a6684de1003629590eb6043bc6bffda5423c9cb4c4436f3f4fce172450",
      ]),
    );
  });

  it("a state key, by its first digits too", async () => {
    for (const text of [stateKey, stateKey.slice(0, 8), toBase58(fromHex(stateKey)).slice(0, 7)])
      expect(await seen(text)).toEqual(
        expect.arrayContaining([
          `state entry            ${stateKey}`,
          "state key              in context private (321161a6)",
          `entity                 ${entity}`,
        ]),
      );
  });

  it("a key of a group, by its first digits too", async () => {
    for (const text of [groupKey, groupKey.slice(0, 6)]) {
      const lines = await seen(text);
      expect(lines).toContain("group key              of group Money (57f93142)");
      expect(lines).toContain("rows that refer to it  NamespaceGovOp 5");
    }
  });

  it("the public key of a device, and the member that it stands for", async () => {
    const key = "2558586e1fb3f968e5e72c17e2ca588778974c8618aac022b518df2b2fb379f6";
    const lines = await seen(key);
    expect(lines[0]).toBe(`public key             ${key}`);
    expect(lines).toContain("member     38ec7407");
    expect(lines.some((line) => /^public key +of device [0-9a-f]{8} of member 38ec7407$/.test(line))).toBe(
      true,
    );
  });

  it("nothing that no row has", async () => {
    const { status, stderr } = await played(0, "show", db, "ab".repeat(32));
    expect(status).toBe(1);
    expect(stderr).toContain("nothing in the database has the name or id");
    for (const absent of ["nobody", "abababab"]) {
      expect((await played(0, "show", db, absent)).status).toBe(1);
      expect((await played(0, "find", db, absent)).status).toBe(1);
    }
  });
});

it("the number of a delta is not that of an operation", async () => {
  for (const typed of ["28", "#28", "operation 28", "(operation 28)"])
    expect((await seen(typed))[0], typed).toContain("left office");
  for (const typed of ["delta 28", "context 28"])
    await expect(intoPipe("show", db, typed), typed).rejects.toThrow(`has the name or id "${typed}"`);
});

describe("what only logs name", () => {
  const left = "e8e04d8c00ed5a7684b32ff0717e68fbc72d7894854aa950047b9d4a7aff48d4";

  it("is found by name: a member who left", async () => {
    for (const name of ["Zoë", "zoë"])
      expect((await seen(name)).slice(0, 2)).toEqual(["member     Zoë", `id         ${left}`]);
    const { stdout } = await intoPipe("log", db, "office", "--member", "Zoë", "--json");
    const texts = linesOf(stdout).map((line) => (JSON.parse(line) as { readonly text: string }).text);
    expect(texts).toContain("Zoë left office");
    expect(texts).not.toContain("");
    const find = await intoPipe("find", db, "Zoë", "--json");
    expect(linesOf(find.stdout).some((line) => line.includes(left))).toBe(true);
  });

  it("is found by its id: a group that is gone", async () => {
    const lines = await seen("fb371b2c");
    expect(lines[0]).toBe(
      "group                  fb371b2cf619eeb8ffca56a45fee0e9ba6f4fc101cad36c61ed63df6cba6b6c2",
    );
    expect(lines).toContain("rows that refer to it  NamespaceGovOp 2, ScopeUnifiedOp 2");
  });
});

describe("show says what became of a thing", () => {
  it("of a member: the groups that it left or was removed from, with the operations", async () => {
    const ended = (group: string, kind: string, sequence: string) =>
      expect.objectContaining({ name: group, operation: expect.objectContaining({ kind, sequence }) });
    expect(await seen("Zoë")).toContain(
      "before     removed from Money (57f93142) (operation 24), left office (fa3977a2) (operation 28)",
    );
    const [line = ""] = linesOf((await intoPipe("show", db, "Zoë", "--json")).stdout);
    expect((JSON.parse(line) as { readonly left: unknown }).left).toEqual([
      ended("Money", "MemberRemoved", "24"),
      ended("office", "MemberLeft", "28"),
    ]);
    expect((await seen("38ec7407")).filter((text) => text.startsWith("before"))).toEqual([]);
  });

  it("of a blob: who uses it, also where it has no row", async () => {
    const blob = "5286d9f41ddb5a090cb470a3fd2a739389e1cd11cfa9fbc7285cee6fa0cfd4fb";
    expect((await seen(blob)).slice(0, 8)).toEqual([
      `blob     ${blob}`,
      "size     552 kB",
      "used by  application unknown 0.0.0: code",
      "used by  group Money (57f93142): code of the group",
      "used by  group design6 (d3c1ecd7): code of the group",
      "used by  namespace office (fa3977a2): code of the group",
      "used by  context old (8d587abf): code that was activated",
      "used by  context lobby (b875f1c0): code that was activated",
    ]);
    expect((await seen(blob, "--base58"))[0]).toBe(`blob     ${toBase58(fromHex(blob))}`);
    expect((await seen("6515e327"))[2]).toBe("used by  nothing that the database tells");
    const { chunks } = JSON.parse((await intoPipe("blobs", "show", db, blob, "--json")).stdout);
    expect((await seen(chunks[0].blobId)).slice(2, 4)).toEqual([
      `part of  ${blob}`,
      "used by  application unknown 0.0.0: code",
    ]);
    const absent = "e5eeace4d073765188a8942daf5bf85715a71fb2cf849bd77c1fbe82c2fd1674";
    const { stdout } = await played(200, "show", fixturePath("core-0.10/node-a", "db"), absent);
    expect(linesOf(stdout).slice(0, 2)).toEqual([`blob     ${absent}`, "size     unknown: it has no row"]);
    expect(linesOf(stdout)[2]).toMatch(/^used by {2}(group|namespace) .*: code of the group$/);
  });
});

describe("names and ids", () => {
  it("of a context are all shown", async () => {
    const lines = await seen("lobby");
    expect(lines.slice(0, 3)).toEqual([
      "context      lobby",
      "id           b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443",
      "also called  main, Lobby 6",
    ]);
  });

  it("can be the first characters in base58, with the dots of a short id", async () => {
    for (const text of ["Hqmk", "HqmkS4Uh…", "HqmkS4Uh..."])
      expect((await seen(text))[0]).toBe("namespace        office");
  });

  it("that a log shows short are accepted back, whatever they are of", async () => {
    const { stdout } = await played(200, "log", db, "office");
    const shorts = new Set(stdout.match(/\b[0-9a-f]{8}\b/g));
    expect(shorts.size).toBeGreaterThan(30);
    const refused = [];
    for (const id of shorts) {
      const { status } = await played(200, "show", db, id);
      if (status !== 0) refused.push(id);
    }
    expect(refused).toEqual([]);
  });

  it("of parts are completed: keyId and stateKey", async () => {
    const key = await played(200, "show", db, "GroupKeyEntry", "groupId=Money", "keyId=87293d97");
    expect(key.status).toBe(0);
    const state = await played(200, "show", db, "ContextState", "contextId=private", "stateKey=ace6f2f1…");
    expect(state.status).toBe(0);
  });
});

describe("find", () => {
  it("says where rows have it, and shows it in its surroundings", async () => {
    const { stdout } = await played(200, "find", db, "office");
    const lines = linesOf(stdout);
    expect(lines).toContain(
      'Group GroupMetadata  groupId=fa3977a2…  in the key: groupId; in the value: name "office"',
    );
    expect(lines).toContain("Group ContextGroupRef  contextId=b875f1c0…  in the value");
    const source = await played(200, "find", db, "sorted_kv_store.wasm");
    expect(linesOf(source.stdout)).toContain(
      'Application ApplicationMeta  applicationId=4f08d93e…  in the key: applicationId; in the value: source "file:///app/sorted_kv_store.wasm"',
    );
  });

  it("names the places in JSON", async () => {
    const { stdout } = await intoPipe("find", db, "office", "--json");
    const rows = linesOf(stdout).map((line) => JSON.parse(line) as { kind: string; places: object });
    expect(rows.find(({ kind }) => kind === "GroupMetadata")?.places).toEqual([
      { in: "key", path: "groupId" },
      { in: "value", path: "name" },
    ]);
  });

  it("cuts long fields around what it found", async () => {
    const { stdout } = await played(200, "find", db, "LwwRegister", "--limit", "40");
    expect(stdout).toContain('"…lections::lww_register::LwwRegister<alloc::string::String>"');
  });
});
