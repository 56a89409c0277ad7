/** Manifests in modules and bundles. No fixture has one, so they are made here. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { manifestOfBundle } from "../../../src/state/manifest/bundle.js";
import { manifestOf } from "../../../src/state/manifest/manifest-of.js";
import { parseManifest } from "../../../src/state/manifest/parse.js";
import { manifestOfWasm } from "../../../src/state/manifest/wasm.js";
import {
  bundleOf,
  customSection,
  manifestNamed,
  tarEntry,
  tarOf,
  wasmOf,
  wasmWith,
} from "../../support/bundles.js";
import { fixturePath } from "../../support/fixtures.js";
import { rejection, thrown } from "../../support/rejection.js";

const NAME = "calimero_abi_v1";

const section = (root: string): Buffer => customSection(NAME, JSON.stringify(manifestNamed(root)));
const unsupported = customSection(
  NAME,
  JSON.stringify({ ...manifestNamed("New"), schema_version: "wasm-abi/2" }),
);

describe("a module", () => {
  it("of the real crate, byte for byte", () => {
    const json =
      '{"schema_version":"wasm-abi/1","types":{"S":{"kind":"record","fields":[]}},"methods":[],"events":[],"state_root":"S"}';
    const bytes = Buffer.concat([
      Buffer.from("0061736d01000000008501" + "0f63616c696d65726f5f6162695f7631", "hex"),
      Buffer.from(json),
    ]);
    expect(json.length + 16).toBe(133);
    expect(manifestOfWasm(bytes)).toEqual(parseManifest(json));
    expect(wasmOf(customSection(NAME, json))).toEqual(bytes);
  });

  it("has its manifest anywhere among other sections", () => {
    const other = Buffer.from([1, 4, 1, 0x60, 0, 0]);
    const bytes = wasmOf(other, customSection("name", "x"), section("S"), customSection("", "y"));
    expect(manifestOfWasm(bytes).stateRoot).toBe("S");
  });

  it("has several: the last one that is valid counts", () => {
    const bad = customSection(NAME, "{");
    expect(manifestOfWasm(wasmOf(section("A"), section("B"))).stateRoot).toBe("B");
    expect(manifestOfWasm(wasmOf(section("A"), section("B"), bad)).stateRoot).toBe("B");
    expect(manifestOfWasm(wasmOf(section("A"), unsupported)).stateRoot).toBe("A");
    thrown(() => manifestOfWasm(wasmOf(unsupported, bad)), "ABI_UNSUPPORTED_VERSION");
  });

  it.each([
    ["without a section", wasmOf(), /has no section calimero_abi_v1/],
    ["with bad JSON alone", wasmOf(customSection(NAME, "{")), /holds no manifest: \$: not JSON/],
    ["of another version", Buffer.from("0061736d0d000100", "hex"), /not a WebAssembly module/],
    ["that is no module", Buffer.from("hello"), /not a WebAssembly module/],
    ["cut within a section", wasmOf(section("S")).subarray(0, 60), /byte 8 is longer than the module/],
    ["cut within a number", wasmOf(Buffer.of(0, 0x80)), /longer than the module/],
    ["with a number of 36 bits", wasmOf(Buffer.of(0, 0x80, 0x80, 0x80, 0x80, 0x80, 1)), /more than 32 bits/],
    ["with a name beyond its section", wasmOf(Buffer.of(0, 2, 5, 0x63)), /longer than the module/],
  ])("%s has none", (_, bytes, message) => {
    thrown(() => manifestOfWasm(bytes), "ABI_NOT_FOUND", message);
  });
});

describe("a bundle", () => {
  const hashOf = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
  const list = (members: object): string =>
    JSON.stringify({ version: "1.0", package: "com.example.kv", appVersion: "1.0.0", ...members });
  const abi = JSON.stringify(manifestNamed("Artifact"));

  it("has the manifest of its module", async () => {
    const wasm = wasmWith(manifestNamed("Module"));
    const bundle = bundleOf({
      "app.wasm": wasm,
      "abi.json": abi,
      "manifest.json": list({
        wasm: { path: "app.wasm", hash: hashOf(wasm), size: wasm.length },
        abi: { path: "abi.json", hash: hashOf(abi), size: abi.length },
      }),
    });
    expect((await manifestOfBundle(bundle)).stateRoot).toBe("Module");
  });

  it("has an artifact, where the module has none or one of an unknown version", async () => {
    for (const wasm of [wasmOf(), wasmOf(unsupported)])
      for (const hash of [hashOf(abi), `sha256:${hashOf(abi)}`, null]) {
        const bundle = bundleOf({
          "./manifest.json": list({ wasm: { path: "app.wasm" }, abi: { path: "abi.json", hash } }),
          "app.wasm": wasm,
          "abi.json": abi,
        });
        expect((await manifestOfBundle(bundle)).stateRoot).toBe("Artifact");
      }
  });

  it("whose artifact has another hash is refused", async () => {
    const hash = hashOf(`${abi} `);
    const bundle = bundleOf({ "manifest.json": list({ abi: { path: "abi.json", hash } }), "abi.json": abi });
    await rejection(manifestOfBundle(bundle), "ABI_INVALID", '"abi.json"');
  });

  it("of several services has one for each", async () => {
    const several = bundleOf({
      "manifest.json": list({
        wasm: { path: "top.wasm" },
        services: [
          { name: "chat", wasm: { path: "chat.wasm" } },
          { name: "files", wasm: { path: "files.wasm" }, abi: { path: "files.json" } },
        ],
      }),
      "top.wasm": wasmWith(manifestNamed("Top")),
      "chat.wasm": wasmWith(manifestNamed("Chat")),
      "files.wasm": wasmOf(),
      "files.json": JSON.stringify(manifestNamed("Files")),
    });
    expect((await manifestOfBundle(several, { service: "chat" })).stateRoot).toBe("Chat");
    expect((await manifestOfBundle(several, { service: "files" })).stateRoot).toBe("Files");
    await expect(manifestOfBundle(several)).rejects.toMatchObject({
      code: "AMBIGUOUS_NAME",
      message: 'the bundle has several services: name one of "chat", "files"',
    });
    await expect(manifestOfBundle(several, { service: "top" })).rejects.toMatchObject({
      code: "UNKNOWN_NAME",
    });
  });

  it("of one service needs no name", async () => {
    const bundle = bundleOf({
      "manifest.json": list({ services: [{ name: "only", wasm: { path: "a.wasm" } }] }),
      "a.wasm": wasmWith(manifestNamed("Only")),
    });
    expect((await manifestOfBundle(bundle)).stateRoot).toBe("Only");
    await expect(
      manifestOfBundle(bundleOf({ "manifest.json": list({ wasm: { path: "a.wasm" } }) }), { service: "x" }),
    ).rejects.toMatchObject({ code: "UNKNOWN_NAME" });
  });

  it("whose paths are long is read, in every format of archives", async () => {
    const path = `${"folder/".repeat(20)}app.wasm`;
    const wasm = wasmWith(manifestNamed("Long"));
    const names = tarEntry("manifest.json", Buffer.from(list({ wasm: { path } })));
    const line = ` path=${path}\n`;
    const gnu = [...tarEntry("././@LongLink", Buffer.from(`${path}\0`), "L"), ...tarEntry(path, wasm)];
    const pax = [...tarEntry("x", Buffer.from(`${line.length + 3}${line}`), "x"), ...tarEntry("short", wasm)];
    const [header = Buffer.of(), ...rest] = tarEntry("app.wasm", wasm);
    header.write(path.slice(0, -9), 345);
    const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    for (const entries of [gnu, pax, [header, ...rest]])
      expect((await manifestOfBundle(gzipSync(Buffer.concat([...names, ...entries])))).stateRoot).toBe(
        "Long",
      );
  });

  it.each<[string, Buffer, string]>([
    ["is no gzip", Buffer.from("1f8b0800ffff", "hex"), "does not unpack"],
    ["is cut", bundleOf({ "manifest.json": "{}" }).subarray(0, 60), "does not unpack"],
    ["has no list", bundleOf({ "app.wasm": wasmOf() }), "no file manifest.json"],
    ["has a list that is no JSON", bundleOf({ "manifest.json": "{" }), "is not JSON"],
    ["names nothing", bundleOf({ "manifest.json": "{}" }), "neither a module nor a manifest"],
    [
      "names a file that is not there",
      bundleOf({ "manifest.json": list({ abi: { path: "a" } }) }),
      'no file "a"',
    ],
    ["is no archive", gzipSync(Buffer.alloc(2048, "x")), "cannot be read"],
    [
      "has a file beyond its end",
      gzipSync(tarOf({ "manifest.json": "x".repeat(3000) }).subarray(0, 1024)),
      "longer than the archive",
    ],
    [
      "has a file twice",
      gzipSync(
        Buffer.concat([
          ...tarEntry("a", Buffer.from("1")),
          ...tarEntry("a", Buffer.from("2")),
          ...tarEntry("manifest.json", Buffer.from(list({ abi: { path: "a" } }))),
        ]),
      ),
      'several files "a"',
    ],
    [
      "has too many files",
      gzipSync(
        Buffer.concat(Array.from({ length: 10_001 }, (_, at) => tarEntry(`f${at}`, Buffer.of())).flat()),
      ),
      "more than 10000 files",
    ],
    [
      "unpacks to far more than its size",
      gzipSync(Buffer.alloc(64 * 1024 * 1024)),
      "unpacks to more than 16777216 bytes",
    ],
  ])("that %s is refused", async (_, bytes, message) => {
    await rejection(manifestOfBundle(bytes), "ABI_NOT_FOUND", message);
  });
});

it("the first bytes of a file decide how it is read", async () => {
  const json = readFileSync(fixturePath("abi/core-0.11/kv-store.json"));
  const expected = parseManifest(json);
  expect(await manifestOf(json)).toEqual(expected);
  expect(await manifestOf(wasmOf(customSection(NAME, json)))).toEqual(expected);
  expect(
    await manifestOf(bundleOf({ "manifest.json": '{"abi":{"path":"abi.json"}}', "abi.json": json })),
  ).toEqual(expected);
  await expect(manifestOf(Buffer.from("PK"))).rejects.toMatchObject({ code: "ABI_INVALID" });
});
