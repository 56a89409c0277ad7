/** The output of `state`: JSON as an independent program made it, and text that was written by hand. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromHex } from "../../../src/bytes/hex.js";
import { collectionId, entryStateKey, indexStateKey, mapEntryId } from "../../../src/digests/index.js";
import { openRocksEngine } from "../../../src/engines/index.js";
import { ContextState011 } from "../../../src/keys/index.js";
import { EntityIndex011 } from "../../../src/payloads/index.js";
import { core011 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { ContextMetaValue } from "../../../src/values/index.js";
import { addCode, kvStoreModule } from "../../support/code.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { HOSTILE, rawText } from "../../support/hostile.js";
import { linesOf, played } from "../run.js";

const NODE_A = fixturePath("core-0.11/node-a/db");
const abi = (name: string, revision = "core-0.11"): string => fixturePath("abi", revision, name);
const folder = temporaryFolder();
const copy = copyOfDatabase("core-0.11/node-a");
const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  await addCode(copy.path, at("blobs"), kvStoreModule());
});
afterAll(() => {
  copy[Symbol.dispose]();
  folder[Symbol.dispose]();
});

interface Expected {
  readonly context: string;
  readonly manifest: string;
  readonly state: object;
  readonly private?: object;
}

const expected = [
  "core-0.10/node-a",
  "core-0.10/node-b",
  "core-0.11/node-a",
  "core-0.11/node-b",
  "core-0.11/node-c",
]
  .flatMap((name) => readdirSync(fixturePath("abi/expected", name)).map((file) => ({ name, file })))
  .map(({ name, file }) => ({
    name,
    ...(JSON.parse(readFileSync(fixturePath("abi/expected", name, file), "utf8")) as Expected),
  }));

describe("as JSON", () => {
  it("all expected files are here", () => {
    expect(expected).toHaveLength(15);
  });

  it.each(expected)("$name $context", async ({ name, context, manifest, state, private: secret }) => {
    const [revision = ""] = name.split("/");
    const words = ["state", fixturePath(name, "db"), context, "--abi", abi(manifest, revision), "--json"];
    const shown = await played(0, ...words);
    expect({ status: shown.status, stderr: shown.stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(shown.stdout)).toEqual({ context, state });
    if (secret === undefined) return;
    const types = abi("private_data.private.json", revision);
    const revealed = await played(0, ...words, "--reveal-secrets", "--private", types);
    expect(JSON.parse(revealed.stdout)).toEqual({ context, state, private: secret });
  });

  it("without a manifest has what the types in the rows say, and a remark", async () => {
    const { context, state } = expected.find(
      ({ manifest }) => manifest === "sorted-kv-store.json",
    ) as Expected;
    const { status, stdout, stderr } = await played(0, "state", NODE_A, context, "--json");
    expect(JSON.parse(stdout)).toEqual({ context, state });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^merostore: without a manifest, only the types in the rows are known: /);
  });

  it("takes the manifest of the code that the context runs", async () => {
    const { state } = expected.find(
      ({ manifest, name }) => manifest === "kv-store.json" && name === "core-0.11/node-a",
    ) as Expected;
    const shown = await played(0, "state", copy.path, "lobby", "items.a10", "--blobs", at("blobs"), "--json");
    expect(shown).toEqual({ status: 0, stdout: '"first 10"\n', stderr: "" });
    expect(Object.keys(state)).toEqual(["items"]);
  });
});

/** The lines of a context of node-a on a terminal. */
async function lines(width: number, ...words: readonly string[]): Promise<readonly string[]> {
  return linesOf((await played(width, "state", NODE_A, ...words)).stdout);
}

const NESTED = ["a2a4613d", "--abi", abi("nested-crdt-test.json")];

describe("as JSON", () => {
  it("says how many entries the limit leaves out, at every depth and in lists too", async () => {
    const json = async (...words: readonly string[]) =>
      JSON.parse((await played(0, "state", NODE_A, ...words, "--json")).stdout);
    const { state } = await json("lobby", "--abi", abi("kv-store.json"), "--limit", "2");
    expect(state).toEqual({ items: { a1: "first 1", a2: "first 2", $more: 146 } });
    expect((await json(...NESTED, "--limit", "0")).state).toMatchObject({
      metadata: { $more: 1 },
      metrics: [{ $more: 3 }],
    });
    const words = ["a2a4613d", "metrics", ...NESTED.slice(1), "--limit", "1"];
    expect(await json(...words)).toEqual(["1", { $more: 2 }]);
  });
});

describe("as text", () => {
  it("shows fields and the first entries of each collection", async () => {
    expect(await lines(100, "lobby", "--abi", abi("kv-store.json"), "--limit", "3")).toEqual([
      "context lobby (b875f1c0)",
      "items: 148 entries",
      '  "a1": "first 1"',
      '  "a2": "first 2"',
      '  "a3": "first 3"',
      "  … 145 more",
    ]);
    expect(await lines(100, ...NESTED)).toEqual([
      "context nested (a2a4613d)",
      "counters: 1 entry",
      '  "c": 3',
      "registers: 1 entry",
      '  "r1": "x"',
      "metadata: 1 entry",
      '  "o": 1 entry',
      '    "i1": "z"',
      "metrics: 3 elements",
      "  [0]: 1",
      "  [1]: 1",
      "  [2]: 1",
      "tags: 1 entry",
      '  "t": 1 element',
      '    "g1"',
      "sorted_scores: 1 entry",
      '  "s1": 10',
    ]);
  });

  it("shows ten entries unless a number is given", async () => {
    const shown = await lines(100, "lobby", "--abi", abi("kv-store.json"));
    expect(shown).toHaveLength(13);
    expect(shown.at(-1)).toBe("  … 138 more");
    expect(await lines(100, "lobby", "--abi", abi("kv-store.json"), "--limit", "0")).toHaveLength(3);
  });

  it("shows times, owners, writers and ids of entities", async () => {
    const words = ["dfdbd9a9", "--abi", abi("kv-store-with-user-and-frozen-storage.json")];
    const shown = await lines(200, ...words, "--metadata", "--utc");
    for (const line of [
      '  "de2a2d2033c99ec1fb2c35d355963cff50bc699a347bf3b9acf54b7f4d689033": "u3"',
      '  "e9155bcf1044da14c1ed490548326ed20a9e95dba4ae38cb6efa268c0bd85f6b": "ice 1"',
    ])
      expect(shown).toContain(line);
    expect(shown.filter((line) => /owner de2a2d2033c99ec1/.test(line)).length).toBeGreaterThan(0);
    expect(shown.filter((line) => /, Frozen, id [0-9a-f]{16}$/.test(line))).toHaveLength(1);
    const entry = await lines(200, "lobby", "items", "--limit", "1", "--metadata", "--utc");
    expect(entry.slice(0, 5)).toEqual([
      "148 entries",
      expect.stringMatching(/^ {2}· created 2026-11-21 05:51:\d\d UTC, .*stored as items, .*id 2c28bb67/),
      '  "a1": "first 1"',
      expect.stringMatching(/^ {4}· written 2026-11-21 05:51:\d\d UTC by 7c23009770446b37$/),
      expect.stringMatching(/^ {4}· created 2026-11-21 05:51:\d\d UTC, id [0-9a-f]{16}$/),
    ]);
  });

  it.each([60, 80, 120, 200])("fits a terminal of %i columns", async (width) => {
    for (const { context, manifest, name } of expected.filter((one) => one.name === "core-0.11/node-a")) {
      const words = ["state", fixturePath(name, "db"), context, "--abi", abi(manifest), "--metadata"];
      for (const line of linesOf((await played(width, ...words)).stdout))
        expect(line.length).toBeLessThanOrEqual(width);
    }
  });
});

describe("a path", () => {
  it.each([
    ["items.a10", "lobby", '"first 10"'],
    ['items["a10"]', "lobby", '"first 10"'],
    ["metadata.o.i1", "a2a4613d", '"z"'],
    ["metrics[2]", "a2a4613d", "1"],
    ["counters.c", "a2a4613d", "3"],
    ["shared_value", "d0d840d7", '"due"'],
    [
      "user_items_nested.de2a2d2033c99ec1fb2c35d355963cff50bc699a347bf3b9acf54b7f4d689033.map.n1",
      "dfdbd9a9",
      '"v"',
    ],
  ])("%s", async (path, context, line) => {
    const manifest = expected.find((one) => one.context.startsWith(context))?.manifest ?? "kv-store.json";
    expect(await lines(80, context, path, "--abi", abi(manifest))).toEqual([line]);
  });

  it("to a collection shows its entries", async () => {
    expect(await lines(80, ...NESTED.slice(0, 1), "metadata.o", ...NESTED.slice(1))).toEqual([
      "1 entry",
      '  "i1": "z"',
    ]);
    const json = await played(0, "state", NODE_A, "a2a4613d", "metadata", ...NESTED.slice(1), "--json");
    expect(json.stdout).toBe('{"o":{"i1":"z"}}\n');
  });

  it("to all data, as log prints it, shows all", async () => {
    const all = await played(0, "state", NODE_A, "lobby", "--json");
    expect(await played(0, "state", NODE_A, "lobby", "$", "--json")).toEqual(all);
  });

  it("to nothing has status 1, and a text that is not a path status 2", async () => {
    expect(await played(80, "state", NODE_A, "a2a4613d", "counters.d", ...NESTED.slice(1))).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "merostore: nothing is at counters.d\n",
    });
    expect((await played(80, "state", NODE_A, "a2a4613d", "counters[", ...NESTED.slice(1))).status).toBe(2);
  });
});

describe("what does not fit", () => {
  it("is named, and the rest is shown", async () => {
    const words = ["a2a4613d", "--abi", abi("kv-store.json")];
    expect(await lines(100, ...words)).toEqual([
      "context nested (a2a4613d)",
      "! ValueDecode: 192 bytes have no reading as KvStore",
      "  0x7e28d5e251ac6bd6c50180859c2c7db3875a9f75e211a40893e136b92ba1a950… (192 bytes)",
      expect.stringMatching(/^items: ! FieldNotFound: /),
      "",
      "the state does not reach 26 entities",
      ...Array(20).fill(expect.stringMatching(/^ {2}[0-9a-f]{16}, \d+ child(ren)?(, stored as \w+)?$/)),
      "  … 6 more",
    ]);
    const json = await played(0, "state", NODE_A, ...words, "--json");
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ state: { $problem: "ValueDecode" } });
    expect(linesOf(json.stderr)).toEqual([
      "merostore: $: ValueDecode: 192 bytes have no reading as KvStore",
      expect.stringMatching(/^merostore: items: FieldNotFound: /),
    ]);
  });

  it("includes manifests, hints and options", async () => {
    writeFileSync(at("bad.json"), '{"schema_version":"wasm-abi/2","types":{}}');
    expect(await played(0, "state", NODE_A, "lobby", "--abi", at("bad.json"))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("version 2 of manifests is unknown"),
    });
    writeFileSync(at("hints.json"), '{"KvStore.nothing": "u16"}');
    const hinted = ["--abi", abi("kv-store.json"), "--hints", at("hints.json")];
    expect(await played(0, "state", NODE_A, "lobby", ...hinted)).toMatchObject({ status: 2 });
    writeFileSync(at("hints.json"), "[]");
    expect(await played(0, "state", NODE_A, "lobby", ...hinted)).toMatchObject({ status: 2 });
    expect(await played(0, "state", NODE_A, "lobby", "--private", at("bad.json"))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--reveal-secrets"),
    });
  });
});

describe("secrets", () => {
  it.each([
    ["core-0.11/node-a", "321161a6"],
    ["core-0.10/node-a", "50294aa1"],
  ])("of %s are not shown unless asked for", async (name, context) => {
    const [revision = ""] = name.split("/");
    for (const words of [[], ["--json"], ["--metadata"], ["--abi", abi("private_data.json", revision)]]) {
      const { stdout, stderr } = await played(0, "state", fixturePath(name, "db"), context, ...words);
      expect(stdout + stderr).not.toMatch(/made-up secret|6d6164652d757020736563726574/);
    }
  });
});

describe("the zoo", () => {
  const zoo = at("zoo");
  const hints = at("zoo-hints.json");
  const words = ["state", zoo, "c7c7c7c7", "--abi", fixturePath("abi/zoo/manifest.json")];

  beforeAll(async () => {
    await using engine = await openRocksEngine(zoo, { create: true, columns: core011.columns });
    const rows = readFileSync(fixturePath("abi/zoo/rows.txt"), "utf8").trimEnd().split("\n");
    const context = "c7".repeat(32);
    await engine.write([
      ...rows.map((row) => {
        const [key = "", value = ""] = row.split(" ");
        return { type: "put" as const, column: "State", key: fromHex(context + key), value: fromHex(value) };
      }),
      {
        type: "put",
        column: "Meta",
        key: fromHex(context),
        value: ContextMetaValue.encode({
          application: new Uint8Array(32),
          rootHash: new Uint8Array(32),
          dagHeads: [],
          serviceName: null,
        }),
      },
    ]);
    writeFileSync(
      hints,
      JSON.stringify({
        "Small.a": "u8",
        "Small.b": "u16",
        "Small.c": "i8",
        "Small.e": "Vec<Option<u8>>",
        "Small.f": "(u8, String)",
        "Small.g": "BTreeMap<String, u16>",
        "Profile.visits": "GCounter",
        "Profile.stock": "PNCounter",
      }),
    );
  });

  it("shows ambiguous values as such, with their bytes, and everything else", async () => {
    const { status, stdout } = await played(120, ...words);
    expect(status).toBe(1);
    const lines = linesOf(stdout);
    const ambiguous = lines.filter((line) => line.includes("! Ambiguous: the bytes have "));
    expect(ambiguous.map((line) => line.trim().split(":")[0])).toEqual(["small", '"r"', '"ada"']);
    expect(lines.filter((line) => /^ +0x[0-9a-f]{64}… \(\d+ bytes\)$/.test(line))).toHaveLength(3);
    for (const line of ['  "p": -1', "g: 2", "stock: -1", '  "n": 200', 'text: "ello big World"'])
      expect(lines).toContain(line);
  });

  it("shows them where hints settle which reading is right", async () => {
    const { stdout } = await played(120, ...words, "--hints", hints);
    const lines = linesOf(stdout);
    expect(lines.filter((line) => line.includes("Ambiguous"))).toEqual([]);
    expect(lines.slice(1, 5)).toEqual(["small:", "  a: 7", "  b: 513", "  c: -3"]);
  });

  it("shows a part of a value at its path", async () => {
    const { stdout } = await played(120, ...words, "small.e[2]", "--hints", hints);
    expect(stdout).toBe("255\n");
  });
});

it("shows foreign text in escapes", async () => {
  await using store = await openStore(copy.path, { schema: core011, writable: true });
  const contextId = fromHex("b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443");
  const text = new TextEncoder().encode(HOSTILE);
  const items = collectionId("items");
  const id = mapEntryId(items, text);
  // The new entry takes the place of the first one in the index row of the map.
  const rowKey = new ContextState011({ contextId, stateKey: indexStateKey(items) });
  const row = EntityIndex011.decode((await store.get(rowKey)) as Uint8Array);
  const [first, ...others] = row.children ?? [];
  if (first === undefined) throw new Error("the fixture lacks an entry");
  const old = (await store.get(
    new ContextState011({ contextId, stateKey: entryStateKey(first.id) }),
  )) as Uint8Array;
  const length = Uint8Array.of(text.length, 0, 0, 0);
  await store
    .batch()
    .put(rowKey, EntityIndex011.encode({ ...row, children: [{ ...first, id }, ...others] }))
    .put(
      new ContextState011({ contextId, stateKey: entryStateKey(id) }),
      // Key, value, time and writer of the old value, id.
      Buffer.concat([length, text, length, text, old.subarray(-32 - 56, -32), id]),
    )
    .write();
  await store.close();
  for (const words of [[], ["--json"], ["items", "--metadata"]]) {
    const { stdout, stderr } = await played(
      80,
      "state",
      copy.path,
      "lobby",
      ...words,
      "--blobs",
      at("blobs"),
    );
    expect(stdout).toContain("FORGED");
    expect(rawText(stdout + stderr)).toBeUndefined();
  }
});
