/** Options that a function does not have, or that have the wrong type, are refused before anything is touched. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectBlobs, deleteBlob, readBlob, repairBlobCounts } from "../src/blobs/index.js";
import { u8 } from "../src/codec/index.js";
import { takeAlong } from "../src/convert/index.js";
import { verify } from "../src/crypto/index.js";
import { diffByContext, diffRows, rowsOfStore } from "../src/diff/index.js";
import { httpFiles, openFiles } from "../src/engines/files/index.js";
import { openEngine, openFilesEngine, openMemoryEngine, openRocksEngine } from "../src/engines/index.js";
import { openLevelEngine } from "../src/engines/level/index.js";
import { ContextMeta } from "../src/keys/index.js";
import { CalimeroNode } from "../src/node/index.js";
import { core011, detectRevision, rowsToLines, rowToJson, selectRows } from "../src/schemas/index.js";
import { EntryLives, readReplay, StateMap, StateSet, StateVector, stateJson } from "../src/state/index.js";
import { openStore, storeOn } from "../src/store/index.js";
import { backupNode, exportStore, importExport } from "../src/transfer/index.js";
import { rootHashes, stuck, whyDiffer } from "../src/why/index.js";
import { copyOfDatabase, temporaryFolder } from "./support/fixtures.js";

type Call = (options: never) => unknown;

/** Stands for an argument that is never reached, because options are checked first. */
const none = undefined as never;
const id = "00".repeat(32);

let copy: ReturnType<typeof copyOfDatabase>;
let folder: ReturnType<typeof temporaryFolder>;
const memory = () => openMemoryEngine({ columns: core011.columns });
beforeAll(() => {
  copy = copyOfDatabase("core-0.11/node-a");
  folder = temporaryFolder();
});
afterAll(() => {
  copy[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** Functions with options, and for each some options that it must refuse. */
const functions: readonly [name: string, call: Call, wrong: readonly object[]][] = [
  [
    "openStore",
    (options) => openStore(copy.path, options),
    [
      { writeable: true },
      { readonly: true },
      { readOnly: true },
      { writable: "yes" },
      { writable: 1 },
      { create: "true" },
      { schema: "core-0.11" },
      { schema: null },
      { thorough: 1 },
      { engine: "leveldb" },
      { checksums: 0 },
      { cacheBytes: -1 },
      { cacheBytes: "64" },
      { acceptLogLoss: "all", writable: true },
      { nodeIsStopped: "yes" },
      { create: "if absent" },
      { addColumns: 1 },
    ],
  ],
  [
    "storeOn",
    (options) => storeOn(memory(), options),
    [{ writable: true }, { schema: {} }, { thorough: "" }],
  ],
  [
    "openEngine",
    (options) => openEngine(copy.path, options),
    [
      { schema: core011 },
      { create: true },
      { create: { columns: [] } },
      { writable: null },
      { engine: "memory" },
    ],
  ],
  [
    "openRocksEngine",
    (options) => openRocksEngine(copy.path, options),
    [{ engine: "rocksdb" }, { writable: 0 }, { create: true, columns: [], writable: false }],
  ],
  [
    "openLevelEngine",
    (options) => openLevelEngine(copy.path, options),
    [{}, { writable: false }, { sync: true }],
  ],
  [
    "openFilesEngine",
    (options) => openFilesEngine(copy.path, options),
    [
      { writable: 1 },
      { create: true },
      { create: true, columns: [], writable: false },
      { acceptLogLoss: "all" },
      { checksums: "no" },
    ],
  ],
  [
    "openFiles",
    (options) => openFiles({ name: "x", list: () => [], open: () => undefined } as never, options),
    [{ cacheBytes: 1.5 }],
  ],
  [
    "openMemoryEngine",
    (options) => openMemoryEngine(options),
    [{ columns: [], column: [] }, { columns: "a" }],
  ],
  ["detectRevision", (options) => detectRevision(memory(), options), [{ through: true }, { thorough: null }]],
  ["toJson", (options) => u8.toJson(1, options), [{ redactSecret: true }, { base58: "yes" }]],
  [
    "rowToJson",
    (options) => rowToJson(core011, "Meta", { key: new Uint8Array(), value: new Uint8Array() }, options),
    [{ redactSecrets: true }, { revealSecrets: 1 }],
  ],
  ["rowsToLines", (options) => rowsToLines(core011, "Meta", [], options), [{ redactSecrets: true }]],
  ["selectRows", (options) => selectRows(options), [{ context: new Uint8Array(32) }, { contextId: "6031" }]],
  [
    "verify",
    (options) => verify(new Uint8Array(32), new Uint8Array(), new Uint8Array(64), options),
    [{}, { strict: 1 }, { strct: true, strict: true }],
  ],
  [
    "scan",
    (options) => memory().scan("Meta", {}, options),
    [{ reversed: true }, { limit: -1 }, { keysOnly: 1 }],
  ],
  ["httpFiles", (options) => httpFiles("http://127.0.0.1:1/", options), [{ timout: 5 }, { timeout: 0 }]],
  ["stateJson", (options) => stateJson({} as never, options), [{ lmit: 1 }, { limit: -1 }]],
  ["a range", (options) => memory().scan("Meta", options), [{ form: new Uint8Array() }, { to: "zz" }]],
  ["write", (options) => memory().write([], options), [{ synced: true }, { sync: 1 }]],
  [
    "exportStore",
    async (options) => exportStore(await storeOn(memory(), { schema: core011 }), options).next(),
    [
      { revealSecret: true },
      { revealSecrets: 1 },
      { columns: "Meta" },
      { columns: [1] },
      { contextId: "6031" },
    ],
  ],
  [
    "importExport",
    (options) =>
      importExport(
        () => {
          throw new Error("the source was opened");
        },
        copy.path,
        options,
      ),
    [{ intoExiting: true }, { intoExisting: "yes" }, { schema: "core-0.11" }, { withoutSecrets: null }],
  ],
  [
    "diffRows",
    async (options) => {
      const rows = rowsOfStore(await storeOn(memory(), { schema: core011 }));
      return diffRows(rows, rows, options).next();
    },
    [{ column: ["Meta"] }, { columns: "Meta" }, { groupId: new Uint8Array(31) }, { onProgress: true }],
  ],
  [
    "diffByContext",
    async (options) => {
      const rows = rowsOfStore(await storeOn(memory(), { schema: core011 }));
      return diffByContext(rows, rows, options);
    },
    [{ groupId: new Uint8Array(32) }, { contextId: "6031" }],
  ],
  [
    "Store.scan",
    async (options) =>
      (await storeOn(memory(), { schema: core011 })).table(ContextMeta).scan(options).chunks().next(),
    [{ revers: true }, { limit: "10" }],
  ],
  ...(["history", "groupLog", "deltas"] as const).map((name): (typeof functions)[number] => [
    `CalimeroNode.${name}`,
    async (options) => (await node())[name]("office", options).next(),
    [{ limits: 3 }, { limit: -1 }, { times: 1 }, { signal: {} }],
  ]),
  [
    "CalimeroNode.graph",
    async (options) => (await node()).graph("office", options),
    [{ own: 1 }, { kind: [] }, { kinds: "group" }],
  ],
  ["Node.origins", async (options) => (await node()).origins("office", options), [{ signals: undefined }]],
  ["Node.departuresOf", async (options) => (await node()).departuresOf("00", options), [{ signal: 1 }]],
  ["Node.at", async (options) => (await node()).at("00", options), [{ signal: 1 }]],
  [
    "whyDiffer",
    async (options) => whyDiffer([{} as never, {} as never], options),
    [{ al: true }, { all: 1 }, { context: 7 }, { rows: -1 }],
  ],
  ["rootHashes", async (options) => rootHashes([], options).next(), [{ signal: 1 }]],
  ["stuck", async (options) => stuck([], options).next(), [{ signal: 1 }]],
  ["readBlob", (options) => readBlob(none, none, id, options).next(), [{ reuse: 1 }, { mostBytes: -1 }]],
  ["deleteBlob", (options) => deleteBlob(none, none, id, options), [{ dryrun: true }, { dryRun: "yes" }]],
  ["collectBlobs", (options) => collectBlobs(none, none, options), [{ dry: true }, { unnamed: 1 }]],
  ["repairBlobCounts", (options) => repairBlobCounts(none, options), [{ dryrun: true }]],
  ["takeAlong", (options) => takeAlong(none, options), [{ progress: () => 0 }]],
  ["backupNode", (options) => backupNode(none, "new", options), [{ signal: 1 }]],
  ["readReplay", (options) => readReplay(none, id, options), [{ manifst: {} }, { record: {} }]],
  ["EntryLives.of", (options) => EntryLives.of(none, none, options), [{ onProgress: 1 }]],
  ...[StateMap, StateSet].map(({ name, prototype }): (typeof functions)[number] => [
    `${name}.entries`,
    (options) => prototype.entries(options).next(),
    [{ limit: -1 }, { from: 1 }, { perfix: "a" }],
  ]),
  ["StateVector.entries", (options) => StateVector.prototype.entries(options).next(), [{ from: "1" }]],
];

async function node(): Promise<CalimeroNode> {
  return new CalimeroNode(await storeOn(memory(), { schema: core011 }));
}

function filesOf(path: string): string[] {
  return readdirSync(path).map((name) => `${name} ${statSync(join(path, name)).mtimeMs}`);
}

describe.each(functions)("%s", (_, call, wrong) => {
  const common = [null, true, 7, "writable", [], [{ writable: true }], new Map(), new Uint8Array(1), () => 0];
  it.each([...common, ...wrong].map((options) => [show(options), options] as const))(
    "refuses %s",
    async (_, options) => {
      const before = filesOf(copy.path);
      const refused = expect.objectContaining({ name: "MerostoreError", code: "INVALID_ARGUMENT" });
      await expect((async () => call(options as never))()).rejects.toThrow(refused);
      expect(filesOf(copy.path)).toEqual(before);
    },
  );
});

function show(options: unknown): string {
  if (options instanceof Uint8Array || options instanceof Map) return options.constructor.name;
  return typeof options === "function" ? "a function" : JSON.stringify(options);
}

it("names the known options", async () => {
  await expect(openStore("nowhere", { writeable: true } as never)).rejects.toThrow(
    'unknown name "writeable" in the options of openStore; the known names are thorough, schema, sync, writable',
  );
});

it("accepts undefined options, and objects without a prototype", async () => {
  const options = Object.assign(Object.create(null) as object, { thorough: undefined, writable: undefined });
  await using store = await openStore(copy.path, options);
  expect(store.raw.capabilities.writable).toBe(false);
});

describe("opening a folder", () => {
  it("reads by default, and does not change any file", async () => {
    const before = filesOf(copy.path);
    for (const engine of ["files", "rocksdb"] as const) {
      await using store = await openStore(copy.path, { engine });
      const read = await store.table(ContextMeta).first();
      expect(read?.error).toBeUndefined();
      const key = read?.key as ContextMeta;
      await expect(store.delete(key)).rejects.toThrow(expect.objectContaining({ code: "READ_ONLY" }));
    }
    expect(filesOf(copy.path)).toEqual(before);
  });

  it("writes on request, and creating implies it", async () => {
    await using store = await openStore(copy.path, { writable: true });
    expect(store.raw.capabilities).toMatchObject({ engine: "files", writable: true });
    const path = join(folder.path, "new");
    await expect(openStore(path, { schema: core011 })).rejects.toThrow(
      expect.objectContaining({ code: "DATABASE_NOT_FOUND" }),
    );
    expect(existsSync(path)).toBe(false);
    await using made = await openStore(path, { create: true, schema: core011 });
    expect(made.raw.capabilities.writable).toBe(true);
  });
});
