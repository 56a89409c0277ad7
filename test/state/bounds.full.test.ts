/** Small types, values and files that mean a lot: faults are named, and the work is bounded. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { concat, concatAll } from "../../src/bytes/concat.js";
import { toHex } from "../../src/bytes/hex.js";
import { collectionId, mapEntryId } from "../../src/digests/index.js";
import { parseManifest, stateJson, stateOf, surveyState } from "../../src/state/index.js";
import { manifestOfBundle } from "../../src/state/manifest/bundle.js";
import { manifestOfWasm } from "../../src/state/manifest/wasm.js";
import { codecOf } from "../../src/state/types/codec-of.js";
import { type Hints, TypeTable } from "../../src/state/types/from-manifest.js";
import { readUnchecked } from "../../src/state/types/read-value.js";
import { contradiction, refined } from "../../src/state/types/refine.js";
import { anyIn, partsOf, type Type } from "../../src/state/types/type.js";
import { typeName } from "../../src/state/types/type-name.js";
import { customSection, tarEntry, wasmOf } from "../support/bundles.js";
import { rejection, thrown } from "../support/rejection.js";
import { CONTEXT, entryRow, field, indexRow, manifestWith, mapOf, mapRows, storeOf, text } from "./made.js";

const UNIT = { kind: "unit" };
const U32 = { kind: "u32" };
const NOTHING = new Uint8Array(0);

/** Types T0 to T30, each with the next one twice; `last` is T30. */
function doubling(last: object): Record<string, object> {
  const types: Record<string, object> = { T30: last };
  for (let at = 0; at < 30; at++) {
    const next = { $ref: `T${at + 1}` };
    types[`T${at}`] = { kind: "alias", target: { kind: "tuple", elements: [next, next] } };
  }
  return types;
}

const stateType = (types: Record<string, object>, hints?: Hints): Type =>
  new TypeTable(manifestWith(types), hints).named("State") as Type;

describe("values of more parts than bytes", () => {
  it.each(["[[[[(); 4096]; 4096]; 4096]; 4096]", "[([u16; 4096], [u16; 4096], [u16; 4096]); 4096]"])(
    "%s is no type that is read",
    (name) => {
      expect(new TypeTable(undefined).rust(name)).toEqual({ kind: "unknown", name });
    },
  );

  it("arrays of arrays are read", () => {
    const type = new TypeTable(undefined).rust("[[u16; 2]; 3]");
    expect(codecOf(type).decode(Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0))).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    expect(typeName(type)).toBe("[[u16; 2]; 3]");
  });

  it("a type that holds others 2^30 times without bytes is refused", () => {
    const types = { State: { kind: "record", fields: [field("all", { $ref: "T0" })] } };
    const exact = stateType({ ...types, ...doubling({ kind: "record", fields: [] }) });
    expect(readUnchecked(exact, NOTHING)).toMatchObject({
      outcome: "none",
      message: expect.stringContaining("expected at most 65536 parts"),
    });
    // One part is left open by manifests.
    const open = stateType({
      State: { kind: "record", fields: [field("all", { $ref: "T0" }), field("n", U32)] },
      ...doubling({ kind: "record", fields: [] }),
    });
    expect(readUnchecked(open, Uint8Array.of(7))).toMatchObject({ outcome: "none" });
  });

  it("lists of lists of items without bytes are refused", () => {
    const list = { kind: "list", items: { kind: "list", items: UNIT } };
    const type = stateType({ State: { kind: "record", fields: [field("all", list)] } });
    const bytes = new Uint8Array(4 + 4 * 1000);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 1000, true);
    for (let at = 4; at < bytes.length; at += 4) view.setUint32(at, 65_536, true);
    expect(readUnchecked(type, bytes).outcome).not.toBe("value");
    const exact = stateType(
      { State: { kind: "record", fields: [field("all", list)] } },
      { "State.all": "Vec<Vec<()>>" },
    );
    expect(readUnchecked(exact, bytes).outcome).toBe("none");
  });

  it("a list of 200,000 numbers of an unknown width is read", () => {
    const type = stateType({
      State: { kind: "record", fields: [field("all", { kind: "list", items: U32 })] },
    });
    const bytes = new Uint8Array(4 + 400_000);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, 200_000, true);
    for (let at = 4; at < bytes.length; at += 2) view.setUint16(at, at & 0xff, true);
    const reading = readUnchecked(type, bytes);
    if (reading.outcome !== "value") throw new Error(reading.outcome);
    const { all } = reading.value as { readonly all: readonly number[] };
    expect([all.length, all[0], all[1], all.at(-1)]).toEqual([200_000, 4, 6, 400_002 & 0xff]);
  });
});

describe("types that hold others in many ways", () => {
  const types = new TypeTable(
    manifestWith({ State: { kind: "record", fields: [] }, ...doubling({ kind: "record", fields: [] }) }),
  );
  const wide = types.named("T0") as Type;

  it("have short names", () => {
    const leaf = { State: { kind: "record", fields: [] }, ...doubling({ kind: "alias", target: U32 }) };
    const name = typeName(new TypeTable(manifestWith(leaf)).named("T0") as Type);
    expect(name).toHaveLength(201);
    expect(name.startsWith("((((((")).toBe(true);
    expect(typeName({ kind: "tuple", elements: [{ kind: "u8" }, { kind: "u8" }] })).toBe("(u8, u8)");
    const same: Type = { kind: "u8" };
    expect(typeName({ kind: "tuple", elements: [same, same, same] })).toBe("[u8; 3]");
  });

  it("are compared with those of rows", () => {
    let row: Type = { kind: "bool" };
    for (let at = 0; at < 30; at++) row = { kind: "tuple", elements: [row, row] };
    expect(contradiction(wide, row)).toBe("bool instead of T30");
    expect(refined(wide, row)).toMatchObject({ kind: "tuple" });
  });
});

describe("manifests", () => {
  const problem = (types: object): unknown => {
    try {
      manifestWith(types);
      return undefined;
    } catch (error) {
      return (error as { readonly code: string }).code;
    }
  };
  const state = { State: { kind: "record", fields: [field("all", { $ref: "A0" })] } };
  const chain = (length: number, target: (next: object) => object): Record<string, object> =>
    Object.fromEntries(
      Array.from({ length }, (_, at) => [
        `A${at}`,
        { kind: "alias", target: at === length - 1 ? U32 : target({ $ref: `A${at + 1}` }) },
      ]),
    );

  it.each([
    ["aliases", (next: object) => next],
    ["aliases of lists", (next: object) => ({ kind: "list", items: next })],
    [
      "aliases of registers",
      (next: object) => ({ kind: "record", fields: [], crdt_type: "lww_register", inner_type: next }),
    ],
  ])("with a chain of 30,000 %s are refused", (_, target) => {
    expect(problem({ ...state, ...chain(30_000, target) })).toBe("ABI_INVALID");
    expect(problem({ ...state, ...chain(50, target) })).toBeUndefined();
  });

  it("with a cycle of 5,000 records are looked at once for each question", () => {
    const list = (at: number): object => ({ kind: "list", items: { $ref: `C${at % 5000}` } });
    const types = new TypeTable(
      manifestWith({
        State: { kind: "record", fields: [] },
        ...Object.fromEntries(
          Array.from({ length: 5000 }, (_, at) => [
            `C${at}`,
            { kind: "record", fields: [field("next", list(at + 1))] },
          ]),
        ),
      }),
    );
    let looks = 0;
    const isLooked = anyIn(
      () => {
        looks++;
        return false;
      },
      (type) => {
        looks++;
        return partsOf(type);
      },
    );
    for (let at = 0; at < 5000; at++) expect(isLooked(types.named(`C${at}`) as Type)).toBe(false);
    // Looked at: a record, its list, and the item that may be an Option.
    expect(looks).toBe(2 * 3 * 5000);
  });

  it("with records that all hold each other in lists are read without a copy of them for each value", () => {
    const names = Array.from({ length: 60 }, (_, at) => `T${at}`);
    const fields = names.map((name) => field(name, { kind: "list", items: { $ref: name } }));
    const types = new TypeTable(
      manifestWith({
        State: { kind: "record", fields: [] },
        ...Object.fromEntries(names.map((name) => [name, { kind: "record", fields }])),
      }),
    );
    const read = (bytes: Uint8Array) => {
      const found = readUnchecked(types.named("T0") as Type, bytes);
      return found.outcome === "value" && found.type.kind === "record" ? found.type.fields : [];
    };
    const [first, second] = [read(new Uint8Array(240)), read(new Uint8Array(240))];
    expect(first).toHaveLength(60);
    expect(first.every(({ type }) => type.kind === "list" && type.item.kind === "record")).toBe(true);
    const items = (all: typeof first) => all.map(({ type }) => (type.kind === "list" ? type.item : type));
    for (const [at, item] of items(first).entries()) expect(item).toBe(items(second)[at]);
  });

  it("with lists of items of more than 8,192 types are read only where the lists are empty", () => {
    const read = (count: number, bytes: Uint8Array) => {
      const fields = Array.from({ length: count }, (_, at) => field(`f${at}`, U32));
      const types = {
        State: { kind: "record", fields: [field("all", { kind: "list", items: { $ref: "R" } })] },
      };
      return readUnchecked(stateType({ ...types, R: { kind: "record", fields } }), bytes);
    };
    expect(read(10_000, new Uint8Array(4)).outcome).toBe("value");
    expect(read(10_000, concat(Uint8Array.of(1, 0, 0, 0), new Uint8Array(40_000)))).toEqual({
      outcome: "ambiguous",
      count: undefined,
    });
  });

  it("whose aliases contain themselves through a list are refused", () => {
    expect(
      problem({
        A: { kind: "alias", target: { kind: "list", items: { $ref: "A" } } },
        State: state.State,
        A0: { kind: "alias", target: U32 },
      }),
    ).toBe("ABI_INVALID");
  });

  it("with records of 120,000 fields have types", async () => {
    const fields = Array.from({ length: 120_000 }, (_, at) => field(`f${at}`, UNIT));
    const manifest = manifestWith({ State: { kind: "record", fields } });
    await using store = await storeOf(NOTHING, []);
    const { problems } = await stateOf(store, CONTEXT, { manifest });
    expect(problems.every(({ name }) => ["ValueDecode", "FieldNotFound", "Ambiguous"].includes(name))).toBe(
      true,
    );
  });

  it("that are nested deeply or hold too many values are refused before they are parsed", () => {
    for (const text of ["[".repeat(8_000_000), `{"x":[${"{},".repeat(2_000_000)}1]}`])
      thrown(() => parseManifest(text), "ABI_INVALID", "nested too deeply");
    // Brackets in texts do not count as levels.
    const quiet = JSON.stringify({ schema_version: "wasm-abi/1", types: {}, note: `\\"${"[".repeat(1000)}` });
    expect(parseManifest(quiet).stateRoot).toBeUndefined();
  });

  it("in modules are one of at most 64 sections", () => {
    const bad = customSection("calimero_abi_v1", "{");
    const good = customSection(
      "calimero_abi_v1",
      JSON.stringify({ schema_version: "wasm-abi/1", types: {} }),
    );
    expect(manifestOfWasm(wasmOf(good, ...new Array(63).fill(bad))).types.size).toBe(0);
    thrown(
      () => manifestOfWasm(wasmOf(good, ...new Array(64).fill(bad))),
      "ABI_NOT_FOUND",
      "too many sections",
    );
    thrown(() => manifestOfWasm(wasmOf(...new Array(100_001).fill(customSection("", "")))), "ABI_NOT_FOUND");
  });

  it.each([
    ["longer than the module", [0, 0x7f, 1, 0x61]],
    ["of 4 GB", [0, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ["of more than 32 bits", [0, 0xff, 0xff, 0xff, 0xff, 0x1f]],
    ["without an end", [0, 0x80, 0x80]],
    ["whose name is longer than itself", [0, 3, 0x7f, 0x61, 0x61]],
    ["without room for the length of its name", [0, 0]],
  ])("in modules with a section %s are not found", (_, section) => {
    thrown(() => manifestOfWasm(wasmOf(Buffer.from(section))), "ABI_NOT_FOUND", "damaged");
  });
});

describe("bundles", () => {
  const refused = (archive: Uint8Array, message: string) =>
    rejection(manifestOfBundle(gzipSync(archive)), "ABI_NOT_FOUND", message);
  /** A file whose header says another size, with the sum that fits. */
  const lying = (size: string): Buffer => {
    const entry = Buffer.concat(tarEntry("manifest.json", Buffer.from("{}")));
    entry.write(size, 124, 12, "latin1");
    entry.fill(0x20, 148, 156);
    const sum = entry.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    entry.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, 8, "latin1");
    return entry;
  };

  it.each([
    ["77777777777\0", "longer than the archive"],
    ["00000002000\0", "longer than the archive"],
    ["-0000000001\0", "cannot be read"],
    ["           \0", "cannot be read"],
    ["\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x7f\xff", "longer than the archive"],
    ["\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "cannot be read"],
    ["\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "cannot be read"],
  ])("with a file of the size %j are refused", async (size, message) => {
    await refused(lying(size), message);
  });

  it("with a size of 0 and data are refused: the data is no header", async () => {
    await refused(lying("00000000000\0"), "cannot be read");
  });

  it("with long extended attributes are refused", async () => {
    const line = (value: string): string => {
      const rest = ` comment=${value}\n`;
      let length = rest.length;
      while (`${length}${rest}`.length !== length) length = `${length}${rest}`.length;
      return `${length}${rest}`;
    };
    const attributes = (count: number, size: number): Buffer =>
      Buffer.concat(new Array(count).fill(tarEntry("x", Buffer.from(line("a".repeat(size))), "x")).flat());
    await refused(attributes(1, 70_000), "too long");
    await refused(attributes(40, 60_000), "too long");
    const headers = Buffer.concat(new Array(20_001).fill(tarEntry("a", Buffer.alloc(0))).flat());
    await refused(headers, "more than 20000 headers");
  });
});

describe("hints", () => {
  const types = {
    State: {
      kind: "record",
      fields: [field("a", U32), field("b", { kind: "list", items: { $ref: "State" } })],
    },
  };
  it.each<Hints>([
    { "State.a": "u16".repeat(10_000) },
    { "State.a": `${"Vec<".repeat(1000)}u8${">".repeat(1000)}` },
    { "State.a": "[[[[u16; 4096]; 4096]; 4096]; 4096]" },
    { "State.a": "State" },
    { "": "u8" },
    { State: "u8" },
    { "State.": "u8" },
    JSON.parse('{"__proto__": "u8"}'),
    JSON.parse('{"State.__proto__": "u8"}'),
  ])("that nobody can mean are refused", (hints) => {
    thrown(() => new TypeTable(manifestWith(types), hints), "INVALID_ARGUMENT");
  });

  it("that make a type hold itself make no value", () => {
    const endless = new TypeTable(manifestWith(types), { "State.b": "[State; 2]" }).named("State") as Type;
    expect(readUnchecked(endless, new Uint8Array(1000)).outcome).not.toBe("value");
    const exact = new TypeTable(manifestWith(types), { "State.a": "u8", "State.b": "[State; 2]" });
    expect(readUnchecked(exact.named("State") as Type, new Uint8Array(1000)).outcome).toBe("none");
  });

  it("for each of 50,000 fields are checked", () => {
    const fields = Array.from({ length: 50_000 }, (_, at) => field(`f${at}`, U32));
    const hints = Object.fromEntries(fields.map((_, at) => [`State.f${at}`, "u8"]));
    const table = new TypeTable(manifestWith({ State: { kind: "record", fields } }), hints);
    const type = table.named("State");
    expect(type?.kind === "record" && type.fields[49_999]?.type).toEqual({ kind: "u8" });
  });
});

describe("collections and values inside each other", () => {
  const tree = manifestWith({
    State: { kind: "record", fields: [field("nodes", mapOf({ $ref: "Node" }))] },
    Node: { kind: "record", fields: [field("nodes", mapOf({ $ref: "Node" }))] },
  });
  const NODES = collectionId("nodes");
  const id = (at: number): Uint8Array => {
    const bytes = new Uint8Array(32).fill(1);
    new DataView(bytes.buffer).setUint32(0, at, true);
    return bytes;
  };

  it("10,000 levels deep are shown to a depth", async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => (at === 0 ? NODES : id(at)));
    const rows = ids.flatMap((one, at) =>
      mapRows(
        at === 9_999 ? [] : [["k", ids[at + 1] as Uint8Array]],
        "nodes",
        one,
        at === 0 ? "nodes" : null,
      ),
    );
    await using store = await storeOf(NODES, rows);
    const state = await stateOf(store, CONTEXT, { manifest: tree });
    const { json, problems, problemCount } = await stateJson(state);
    expect(problems.map(({ name }) => name)).toEqual(["NestedTooDeeply"]);
    expect(problemCount).toBe(1);
    expect(JSON.stringify(json)).toContain('{"nodes":{"k":{"nodes":{"k":');
    expect((await surveyState(state)).problems.map(({ name }) => name)).toEqual(["NestedTooDeeply"]);
  });

  it("that are wrong 20,000 times are counted, and some are listed", async () => {
    const manifest = manifestWith({ State: { kind: "record", fields: [field("nodes", mapOf(U32))] } });
    const entries = Array.from({ length: 20_000 }, (_, at) => id(at));
    await using store = await storeOf(NODES, [indexRow(NODES, entries, "nodes")]);
    const state = await stateOf(store, CONTEXT, { manifest });
    const { problems, problemCount } = await stateJson(state);
    expect([problems.length, problemCount, problems[0]?.name]).toEqual([10_000, 20_000, "EntryMissing"]);
    const survey = await surveyState(state);
    expect([survey.problems.length, survey.problemCount]).toEqual([10_000, 20_000]);
  });

  it("of 9,000 entries are read whole, each entry once, and those without data are named", async () => {
    const manifest = manifestWith({ State: { kind: "record", fields: [field("nodes", mapOf(U32))] } });
    const keys = Array.from({ length: 9_000 }, (_, at) => `k${`${at}`.padStart(4, "0")}`);
    const entries = keys.map((key) => mapEntryId(NODES, new TextEncoder().encode(key)));
    const data = keys.map((key, at) =>
      entryRow(entries[at] as Uint8Array, concat(text(key), Uint8Array.of(at & 255, at >> 8, 0, 0))),
    );
    // A row of another entity that ends with the id of an entry.
    const foreign = entryRow(id(77), concat(text("k0001"), entries[1] as Uint8Array));
    await using store = await storeOf(NODES, [
      indexRow(NODES, entries, "nodes"),
      ...data.filter((_, at) => at !== 1),
      [foreign[0], foreign[1].subarray(0, -32)],
    ]);
    const state = await stateOf(store, CONTEXT, { manifest });
    const { json, problems } = await stateJson(state);
    const { nodes } = json.state as { readonly nodes: Record<string, number> };
    expect(Object.keys(nodes)).toEqual([
      ...keys.filter((_, at) => at !== 1),
      `$problem ${toHex(entries[1] as Uint8Array)}`,
    ]);
    expect([nodes.k0000, nodes.k0300, nodes.k8999]).toEqual([0, 300, 8999]);
    expect(problems.map(({ name }) => name)).toEqual(["EntryMissing"]);
  });

  it("leave the event loop its turns", async () => {
    const manifest = manifestWith({
      State: { kind: "record", fields: [field("nodes", mapOf({ kind: "list", items: { kind: "string" } }))] },
    });
    const keys = Array.from({ length: 3_000 }, (_, at) => `k${at}`);
    const value = concatAll([Uint8Array.of(200, 0, 0, 0), ...new Array<Uint8Array>(200).fill(text("abc"))]);
    const entries = keys.map((key) => mapEntryId(NODES, new TextEncoder().encode(key)));
    const rows = keys.map((key, at) => entryRow(entries[at] as Uint8Array, concat(text(key), value)));
    await using store = await storeOf(NODES, [indexRow(NODES, entries, "nodes"), ...rows]);
    const state = await stateOf(store, CONTEXT, { manifest });
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await stateJson(state);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
