/** The output of `abi`. The expected texts were written by hand from the manifests. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { parseManifest } from "../../../src/state/manifest/parse.js";
import { bundleOf, wasmOf, wasmWith } from "../../support/bundles.js";
import { addCode, KV_STORE, kvStoreModule, LOBBY } from "../../support/code.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { HOSTILE, rawText } from "../../support/hostile.js";
import { linesOf, played } from "../run.js";

const database = fixturePath("core-0.11/node-a/db");
const copy = copyOfDatabase("core-0.11/node-a");
const folder = temporaryFolder();
const at = (name: string): string => join(folder.path, name);
const blobs = at("blobs");
let blob = "";

beforeAll(async () => {
  blob = toHex(await addCode(copy.path, blobs, kvStoreModule()));
});
afterAll(() => {
  copy[Symbol.dispose]();
  folder[Symbol.dispose]();
});

const KV_LINES = [
  "manifest       wasm-abi/1",
  "state          KvStore",
  "state version  1",
  "",
  "types",
  "  Event_Inserted",
  "    key: string",
  "    value: string",
  "  Event_Removed",
  "    key: string",
  "  Event_Updated",
  "    key: string",
  "    value: string",
  "  KvStore  the state",
  "    items: unordered_map<string, lww_register<string>>",
  "",
  "methods",
];

describe("abi of a context", () => {
  it("finds the manifest in the code that it runs", async () => {
    const { status, stdout, stderr } = await played(0, "abi", copy.path, "lobby", "--blobs", blobs);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const lines = linesOf(stdout);
    expect(lines[0]).toBe(`blob           ${blob}`);
    expect(lines.slice(1, 1 + KV_LINES.length)).toEqual(KV_LINES);
    expect(lines).toContain("  get_or_insert(key: string, value: string) -> string");
    expect(lines.slice(-5)).toEqual([
      "events",
      "  Cleared",
      "  Inserted: Event_Inserted",
      "  Removed: Event_Removed",
      "  Updated: Event_Updated",
    ]);
  });

  it("prints JSON that is a manifest again", async () => {
    const { stdout } = await played(0, "abi", copy.path, LOBBY.slice(0, 8), "--blobs", blobs, "--json");
    expect(linesOf(stdout)).toHaveLength(1);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(KV_STORE, "utf8")));
  });

  it("says what is missing without an ABI", async () => {
    expect(await played(0, "abi", database, "lobby")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining(
        "no folder of blobs is beside the database: name it (--blobs), or the manifest (--abi)",
      ),
    });
    mkdirSync(at("empty"), { recursive: true });
    expect(await played(0, "abi", database, "lobby", "--blobs", at("empty"))).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/blob [0-9a-f]{64} has no file in the folder of blobs/),
    });
    expect(await played(0, "abi", database)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("name a context"),
    });
    expect(await played(0, "abi", database, "nowhere")).toMatchObject({ status: 1 });
  });
});

describe("abi of a file", () => {
  const files = (): Readonly<Record<string, Buffer>> => ({
    "kv.wasm": kvStoreModule(),
    "kv.mpk": bundleOf({ "manifest.json": '{"wasm":{"path":"a"}}', a: kvStoreModule() }),
    "kv.json": readFileSync(KV_STORE),
  });

  it.each(["kv.wasm", "kv.mpk", "kv.json"])("%s", async (name) => {
    writeFileSync(at(name), files()[name] ?? Buffer.of());
    const { status, stdout } = await played(0, "abi", at(name));
    expect(status).toBe(0);
    expect(linesOf(stdout).slice(0, KV_LINES.length)).toEqual(KV_LINES);
  });

  it("of the default database is the file, too", async () => {
    writeFileSync(at("kv.json"), files()["kv.json"] ?? Buffer.of());
    const { stdout } = await played(0, "abi", database, at("kv.json"));
    expect(linesOf(stdout).slice(0, KV_LINES.length)).toEqual(KV_LINES);
  });

  it("shows every form of a type", async () => {
    const { stdout } = await played(0, "abi", fixturePath("abi/core-0.11/state-schema-conformance.json"));
    const lines = linesOf(stdout);
    for (const line of [
      "    nested_map: unordered_map<string, unordered_map<string, lww_register<u32>>>",
      "    counter_list: vector<counter>",
      "    | Active(Status_Active)",
      "    | Inactive",
      "  UserId32 = bytes[32]",
    ])
      expect(lines).toContain(line);
    const zoo = linesOf((await played(0, "abi", fixturePath("abi/zoo/manifest.json"))).stdout);
    for (const line of ["    d: u32?", "    f: (u32, string)", "    g: map<string, u32>", "    i: bytes"])
      expect(zoo).toContain(line);
  });

  it("shows what 0.11 says about methods and versions", async () => {
    writeFileSync(
      at("methods.json"),
      JSON.stringify({
        schema_version: "wasm-abi/1",
        state_version: 3,
        types: {},
        methods: [
          {
            name: "move",
            params: [{ name: "to", type: { kind: "u64" }, nullable: true }],
            returns: { kind: "list", items: { kind: "bool" } },
            returns_nullable: true,
            errors: [{ code: "FULL" }, { code: "GONE", payload: { kind: "string" } }],
            intent: "mutating",
            xcall_callable: true,
            xcall_callers: "same_app",
          },
        ],
        events: [],
        migrations: [{ method: "up", fromVersion: 2 }],
      }),
    );
    expect(linesOf((await played(0, "abi", at("methods.json"))).stdout)).toEqual([
      "manifest       wasm-abi/1",
      "state          none",
      "state version  3",
      "migrations     up from 2",
      "",
      "methods",
      "  move(to: u64?) -> list<bool>?  writes; errors FULL, GONE(string); callable from other contexts (same_app)",
    ]);
  });

  it("of several services needs the name of one", async () => {
    const services = [
      { name: "a", wasm: { path: "a.wasm" } },
      { name: "b", wasm: { path: "b.wasm" } },
    ];
    const manifest = (name: string) =>
      wasmWith({ schema_version: "wasm-abi/1", types: { [name]: { kind: "bytes" } }, state_root: name });
    writeFileSync(
      at("two.mpk"),
      bundleOf({
        "manifest.json": JSON.stringify({ services }),
        "a.wasm": manifest("A"),
        "b.wasm": manifest("B"),
      }),
    );
    expect((await played(0, "abi", at("two.mpk"), "--service", "b")).stdout).toContain("state          B\n");
    expect(await played(0, "abi", at("two.mpk"))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('name one of "a", "b"'),
    });
  });

  it("names the file that has none", async () => {
    writeFileSync(at("plain.wasm"), wasmOf());
    expect(await played(0, "abi", at("plain.wasm"))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("plain.wasm: the module has no section calimero_abi_v1"),
    });
    expect(await played(0, "abi", at("missing.wasm"))).toMatchObject({ status: 2 });
  });

  it.each([60, 80, 120, 200])("fits a terminal of %i columns", async (width) => {
    for (const name of readdirSync(fixturePath("abi/core-0.11")).filter((one) => one !== "map.json")) {
      const { stdout } = await played(width, "abi", fixturePath("abi/core-0.11", name));
      for (const line of linesOf(stdout)) expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it("shows foreign text in escapes", async () => {
    const type = { kind: "record", fields: [{ name: HOSTILE, type: { $ref: HOSTILE }, nullable: true }] };
    const variants = [{ name: HOSTILE, payload: { $ref: HOSTILE } }];
    const manifest = {
      schema_version: "wasm-abi/1",
      types: { [HOSTILE]: type, V: { kind: "variant", variants } },
      methods: [
        {
          name: HOSTILE,
          params: type.fields,
          errors: [{ code: HOSTILE }],
          xcall_callable: true,
          xcall_callers: HOSTILE,
        },
      ],
      events: [{ name: HOSTILE, payload: { $ref: HOSTILE } }],
      migrations: [{ method: HOSTILE, fromVersion: 1 }],
      state_root: HOSTILE,
    };
    writeFileSync(at("hostile.json"), JSON.stringify(manifest));
    for (const words of [[], ["--json"]])
      expect(rawText((await played(0, "abi", at("hostile.json"), ...words)).stdout)).toBeUndefined();
  });
});

it("a manifest of every fixture is the same after a round trip through JSON", async () => {
  for (const revision of ["core-0.10", "core-0.11"])
    for (const name of readdirSync(fixturePath("abi", revision)).filter((one) => one !== "map.json")) {
      const path = fixturePath("abi", revision, name);
      const { stdout } = await played(0, "abi", path, "--json");
      expect(parseManifest(stdout)).toEqual(parseManifest(readFileSync(path)));
    }
});
