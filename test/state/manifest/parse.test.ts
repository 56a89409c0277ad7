/** Manifests from JSON: those of both emitters, and malformed ones. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Manifest } from "../../../src/state/manifest/manifest.js";
import { ManifestError } from "../../../src/state/manifest/manifest-error.js";
import { parseManifest, stateRootOf } from "../../../src/state/manifest/parse.js";
import { fixturePath } from "../../support/fixtures.js";
import { thrown } from "../../support/rejection.js";

const EMPTY = { schema_version: "wasm-abi/1", types: {}, methods: [], events: [] };
const string = { kind: "string" };

/** A manifest whose state has one field of a type. */
const ofField = (type: unknown, nullable?: boolean): object => ({
  ...EMPTY,
  types: { S: { kind: "record", fields: [{ name: "f", type, ...(nullable ? { nullable } : {}) }] } },
  state_root: "S",
});

/** The place of that type. */
const FIELD = "$.types.S.fields[0].type";

/** The type of that field. */
function fieldType(manifest: Manifest): unknown {
  const type = manifest.types.get("S");
  return type?.kind === "record" ? type.fields[0]?.type : undefined;
}

const namesOf = (list: readonly { readonly name: string }[]): readonly string[] =>
  list.map(({ name }) => name);

/** More parts than a manifest may have. */
function many<T>(part: (at: number) => T): T[] {
  return Array.from({ length: 125_001 }, (_, at) => part(at));
}

function problem(input: unknown): readonly [code: string, path: string] | undefined {
  try {
    parseManifest(input);
    return undefined;
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    expect(error.message.startsWith(`${error.path}: `)).toBe(true);
    return [error.code, error.path];
  }
}

describe("manifests of both emitters", () => {
  const named = ["core-0.10", "core-0.11"].flatMap((revision) =>
    readdirSync(fixturePath("abi", revision))
      .filter((file) => file !== "map.json")
      .map((file) => `${revision}/${file}`),
  );

  it("are all here", () => {
    expect(named).toHaveLength(18);
  });

  it.each([...named, "zoo/manifest.json"])("%s", (file) => {
    const bytes = readFileSync(fixturePath("abi", file));
    const json = JSON.parse(bytes.toString("utf8"));
    const manifest = parseManifest(bytes);
    expect([...manifest.types.keys()]).toEqual(Object.keys(json.types));
    expect(manifest.methods.map(({ name }) => name)).toEqual(namesOf(json.methods));
    expect(manifest.events.map(({ name }) => name)).toEqual(namesOf(json.events));
    expect(manifest.stateRoot).toBe(json.state_root);
    expect(parseManifest(bytes.toString("utf8"))).toEqual(manifest);
    expect(parseManifest(json)).toEqual(manifest);
  });

  it("keep the order of events, which 0.10 does not sort", () => {
    const { events, methods, stateVersion, migrations } = parseManifest(
      readFileSync(fixturePath("abi/core-0.10/kv-store.json")),
    );
    expect(events.map(({ name }) => name)).toEqual(["Inserted", "Updated", "Removed", "Cleared"]);
    expect(events[3]?.payload).toBeUndefined();
    expect(methods.find(({ name }) => name === "get")).toEqual({
      name: "get",
      params: [{ name: "key", type: { kind: "string" }, nullable: false }],
      returns: { kind: "string" },
      returnsNullable: false,
      errors: [],
      intent: undefined,
      xcallCallable: undefined,
      xcallCallers: undefined,
    });
    expect([stateVersion, migrations]).toEqual([1, []]);
  });

  it("name the structs of the private state, where a person wrote them", () => {
    const { privateStructs } = parseManifest(
      readFileSync(fixturePath("abi/core-0.11/private_data.private.json")),
    );
    expect(privateStructs).toEqual([
      {
        type: "Secrets",
        key: Uint8Array.from(
          Buffer.from("d8707d411d997657b1ca20b02711bdef4f5e144ea47c7b4a5307d95150c0b2be", "hex"),
        ),
      },
    ]);
  });
});

describe("every form of a type", () => {
  it.each([
    [{ kind: "bool" }, { kind: "bool" }],
    [{ kind: "f32" }, { kind: "f32" }],
    [{ kind: "unit" }, { kind: "unit" }],
    [{ $ref: "S2" }, { kind: "reference", name: "S2" }],
    [{ kind: "bytes" }, { kind: "bytes", size: undefined, encoding: undefined }],
    [
      { kind: "bytes", size: 32, encoding: "hex" },
      { kind: "bytes", size: 32, encoding: "hex" },
    ],
    [
      { kind: "list", items: string },
      { kind: "list", items: string, crdtType: undefined },
    ],
    [
      { kind: "list", items: string, crdt_type: "authored_vector" },
      { kind: "list", items: string, crdtType: "authored_vector" },
    ],
    [
      { kind: "map", key: string, value: { kind: "i64" }, crdt_type: "shared_storage" },
      { kind: "map", key: string, value: { kind: "i64" }, crdtType: "shared_storage" },
    ],
    [
      { kind: "record", fields: [{ name: "a", type: { kind: "u32" }, nullable: true }] },
      {
        kind: "record",
        fields: [{ name: "a", type: { kind: "u32" }, nullable: true }],
        crdtType: undefined,
        innerType: undefined,
      },
    ],
    [
      { kind: "record", fields: [], crdt_type: "lww_register", inner_type: string },
      { kind: "record", fields: [], crdtType: "lww_register", innerType: string },
    ],
    [
      { kind: "record", crdt_type: "counter" },
      { kind: "record", fields: [], crdtType: "counter", innerType: undefined },
    ],
    [
      { kind: "tuple", elements: [string, { kind: "bool" }] },
      { kind: "tuple", elements: [string, { kind: "bool" }] },
    ],
  ])("%j", (json, expected) => {
    const whole = ofField(json) as { readonly types: object };
    const types = { ...whole.types, S2: { kind: "alias", target: string } };
    expect(fieldType(parseManifest({ ...whole, types }))).toEqual(expected);
  });

  it("of a variant, an alias and bytes with a name", () => {
    const types = {
      V: {
        kind: "variant",
        variants: [
          { name: "A", code: "a" },
          { name: "B", payload: { $ref: "H" } },
        ],
      },
      H: { kind: "bytes", size: 4 },
      L: { kind: "alias", target: { $ref: "V" } },
    };
    expect([...parseManifest({ ...EMPTY, types }).types]).toEqual([
      [
        "V",
        {
          kind: "variant",
          variants: [
            { name: "A", code: "a", payload: undefined },
            { name: "B", code: undefined, payload: { kind: "reference", name: "H" } },
          ],
        },
      ],
      ["H", { kind: "bytes", size: 4, encoding: undefined }],
      ["L", { kind: "alias", target: { kind: "reference", name: "V" } }],
    ]);
  });

  it("of the methods, events and migrations of 0.11", () => {
    const manifest = parseManifest({
      ...EMPTY,
      schema_version: "wasm-abi/1.7",
      state_version: 3,
      unknown: [1],
      methods: [
        {
          name: "m",
          params: [],
          errors: [{ code: "E", payload: string }, { code: "F" }],
          intent: "read_only",
          xcall_callable: true,
          xcall_callers: "same_app",
        },
      ],
      migrations: [{ method: "up", fromVersion: 2 }],
    });
    expect(manifest).toMatchObject({
      schemaVersion: "wasm-abi/1.7",
      stateVersion: 3,
      methods: [
        {
          errors: [{ code: "E", payload: string }, { code: "F" }],
          intent: "read_only",
          xcallCallable: true,
          xcallCallers: "same_app",
        },
      ],
      migrations: [{ method: "up", fromVersion: 2 }],
    });
  });
});

describe("a manifest that cannot be used fails by name", () => {
  it.each<[what: string, input: unknown, code: string, path: string]>([
    ["no JSON", "{", "ABI_INVALID", "$"],
    ["no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "ABI_INVALID", "$"],
    ["a list", "[]", "ABI_INVALID", "$"],
    ["nothing", undefined, "ABI_INVALID", "$"],
    ["no version", "{}", "ABI_INVALID", "$"],
    ["no types", { schema_version: "wasm-abi/1" }, "ABI_INVALID", "$"],
    ["a version of something else", { ...EMPTY, schema_version: "abi" }, "ABI_INVALID", "$.schema_version"],
    [
      "another major version",
      { ...EMPTY, schema_version: "wasm-abi/2.1" },
      "ABI_UNSUPPORTED_VERSION",
      "$.schema_version",
    ],
    ["an unknown kind of type", ofField({ kind: "set" }), "ABI_UNKNOWN_KIND", `${FIELD}.kind`],
    ["a kind that every object has", ofField({ kind: "toString" }), "ABI_UNKNOWN_KIND", `${FIELD}.kind`],
    [
      "an unknown kind of definition",
      { ...EMPTY, types: { "a b": { kind: "tuple" } } },
      "ABI_UNKNOWN_KIND",
      '$.types["a b"].kind',
    ],
    [
      "an unknown collection",
      ofField({ kind: "list", items: string, crdt_type: "heap" }),
      "ABI_UNKNOWN_CRDT",
      `${FIELD}.crdt_type`,
    ],
    [
      "a list that is a map",
      ofField({ kind: "list", items: string, crdt_type: "sorted_map" }),
      "ABI_UNKNOWN_CRDT",
      `${FIELD}.crdt_type`,
    ],
    [
      "a register of nothing",
      ofField({ kind: "record", fields: [], crdt_type: "lww_register" }),
      "ABI_INVALID",
      FIELD,
    ],
    [
      "a type that is not there",
      ofField({ kind: "list", items: { $ref: "T" } }),
      "ABI_TYPE_NOT_FOUND",
      `${FIELD}.items["$ref"]`,
    ],
    [
      "a type that every object has",
      ofField({ $ref: "constructor" }),
      "ABI_TYPE_NOT_FOUND",
      `${FIELD}["$ref"]`,
    ],
    ["a root that is not there", { ...EMPTY, state_root: "S" }, "ABI_TYPE_NOT_FOUND", "$.state_root"],
    [
      "a private struct that is not there",
      { ...EMPTY, private: [{ type: "P" }] },
      "ABI_TYPE_NOT_FOUND",
      "$.private[0].type",
    ],
    ["a size below 0", ofField({ kind: "bytes", size: -1 }), "ABI_INVALID", `${FIELD}.size`],
    [
      "fields that are no list",
      { ...EMPTY, types: { S: { kind: "record", fields: {} } } },
      "ABI_INVALID",
      "$.types.S.fields",
    ],
    ["a name that is a number", { ...EMPTY, events: [{ name: 1 }] }, "ABI_INVALID", "$.events[0].name"],
  ])("%s", (_, input, code, path) => {
    expect(problem(input)).toEqual([code, path]);
  });

  it("and its state root is asked for by name", () => {
    thrown(() => stateRootOf(parseManifest(EMPTY)), "ABI_NO_STATE_ROOT");
    expect(stateRootOf(parseManifest(ofField(string)))).toBe("S");
  });

  it("and a message does not hold what a name does to a terminal", () => {
    const name = `\u001b[2J${"x".repeat(1000)}`;
    expect(() => parseManifest(ofField({ $ref: name }))).toThrow(/^[ -~]{1,120}$/);
  });
});

describe("hostile manifests", () => {
  const alias = (target: string) => ({ kind: "alias", target: { $ref: target } });

  it("with types that never end are refused", () => {
    expect(problem({ ...EMPTY, types: { A: alias("A") } })).toEqual(["ABI_INVALID", "$.types.A"]);
    expect(problem({ ...EMPTY, types: { A: alias("B"), B: alias("A") } })?.[0]).toBe("ABI_INVALID");
    expect(problem(ofField({ $ref: "S" }))?.[0]).toBe("ABI_INVALID");
    expect(problem(ofField({ kind: "record", fields: [{ name: "g", type: { $ref: "S" } }] }))?.[0]).toBe(
      "ABI_INVALID",
    );
    const chain = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, at) => [`T${at}`, alias(`T${(at + 1) % 50_000}`)]),
    );
    expect(problem({ ...EMPTY, types: chain })?.[0]).toBe("ABI_INVALID");
  });

  it("with types that contain themselves and can end are read", () => {
    for (const type of [
      { kind: "list", items: { $ref: "S" } },
      { kind: "map", key: string, value: { $ref: "S" }, crdt_type: "unordered_map" },
      { kind: "record", fields: [], crdt_type: "lww_register", inner_type: { $ref: "S" } },
    ])
      expect(problem(ofField(type))).toBeUndefined();
    expect(problem(ofField({ $ref: "S" }, true))).toBeUndefined();
  });

  it("with deep nesting are refused, cycles of objects too", () => {
    const deep = (steps: number): object => (steps === 0 ? string : { kind: "list", items: deep(steps - 1) });
    expect(problem(ofField(deep(100)))).toBeUndefined();
    expect(problem(ofField(deep(1000)))?.[0]).toBe("ABI_INVALID");
    const cycle = { kind: "list", items: {} };
    cycle.items = cycle;
    expect(problem(ofField(cycle))?.[0]).toBe("ABI_INVALID");
    const text = `${'{"kind":"list","items":'.repeat(100_000)}{"kind":"bool"}${"}".repeat(100_000)}`;
    expect(problem(JSON.stringify(ofField("HERE")).replace('"HERE"', text))?.[0]).toBe("ABI_INVALID");
  });

  it("with objects that are used again and again are refused", () => {
    let type: object = string;
    for (let at = 0; at < 40; at++) type = { kind: "tuple", elements: [type, type] };
    expect(problem(ofField(type))?.[0]).toBe("ABI_INVALID");
  });

  it("that are too long are refused", () => {
    expect(problem(" ".repeat(16 * 1024 * 1024 + 1))).toEqual(["ABI_INVALID", "$"]);
  });

  it("with 100,000 fields are read", () => {
    const fields = Array.from({ length: 100_000 }, (_, at) => ({ name: `f${at}`, type: string }));
    const { types } = parseManifest(JSON.stringify({ ...EMPTY, types: { S: { kind: "record", fields } } }));
    expect(types.get("S")).toMatchObject({ fields: { length: 100_000 } });
  });

  it.each([
    ["named types", { types: Object.fromEntries(many((at) => [`T${at}`, { kind: "bytes" }])) }],
    ["methods", { methods: many((at) => ({ name: `m${at}`, params: [] })) }],
    ["events", { events: many((at) => ({ name: `e${at}` })) }],
    ["errors", { methods: [{ name: "m", params: [], errors: many((at) => ({ code: `${at}` })) }] }],
    ["variants", { types: { V: { kind: "variant", variants: many((at) => ({ name: `v${at}` })) } } }],
    [
      "fields",
      { types: { S: { kind: "record", fields: many((at) => ({ name: `f${at}`, type: string })) } } },
    ],
  ])("with 125,001 %s are refused", (_, part) => {
    expect(problem({ ...EMPTY, ...part })?.[0]).toBe("ABI_INVALID");
  });

  it("with names of markup and control characters keep them as they are", () => {
    const names = ["<script>", "a\u0000b", "\u202e", "__proto__", "constructor", ""];
    const types = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:{"kind":"bytes"}`).join()}}`);
    expect([...parseManifest({ ...EMPTY, types }).types.keys()]).toEqual(names);
  });
});
