/** Rows without a layout in the document of the revision `documented`. */
import { expect, it } from "vitest";
import { ContextMeta } from "../../src/keys/index.js";
import { documented } from "../../src/schemas/index.js";
import { memoryStore } from "../../src/testing/memory-store.js";
import { ApplicationMetaValue010 } from "../../src/values/index.js";
import { verifyStore } from "../../src/verify/index.js";
import { listOf } from "../support/lists.js";

const id = new Uint8Array(32).fill(3);
const text = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

async function findingsOf(rows: readonly [column: string, key: Uint8Array, value: Uint8Array][]) {
  await using store = memoryStore(documented);
  await store.raw.write(rows.map(([column, key, value]) => ({ type: "put", column, key, value })));
  const findings = await listOf(verifyStore(store));
  return findings.map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`).sort();
}

it("are named, and no errors: schema version and node id of Meta, node configuration of Config", async () => {
  const found = await findingsOf([
    ["Meta", text("schema_version"), Uint8Array.of(1, 0, 0, 0)],
    ["Meta", text("node_id"), id],
    ["Config", text("node"), text('{"port":2428}')],
  ]);
  const meta =
    "info other-version: rows of this kind are not checked: of the document's schema version or node id";
  expect(found).toEqual([
    expect.stringMatching(/^info other-version: .*of the document's node configuration/),
    expect.stringContaining(meta),
    expect.stringContaining(meta),
  ]);
});

it("are a context that embeds its application, as a row or as the document's comment has it", async () => {
  const blobs = { bytecode: id, compiled: id };
  const release = { package: "p", version: "1.0.0", signerId: "", source: "https://a.example/b.wasm" };
  const services = [{ name: "chat", ...blobs }];
  const rest010 = { size: 3n, metadata: new Uint8Array(), services };
  const application = ApplicationMetaValue010.encode({ ...blobs, ...release, ...rest010 });
  const short = Uint8Array.of(...id, 1, 0, 0, 0, 0x31, 0, 0, 0, 0);
  const rest = Uint8Array.of(...id, 1, 0, 0, 0, ...id);
  const key = new ContextMeta({ contextId: id }).bytes;
  for (const one of [application, short])
    expect(await findingsOf([["Meta", key, Uint8Array.of(...one, ...rest)]])).toEqual([
      expect.stringContaining(
        "info other-version: rows of this kind are not checked: of the document's contexts that embed",
      ),
    ]);
  expect(await findingsOf([["Meta", key, Uint8Array.of(...short, ...rest, 0)]])).toEqual([
    expect.stringContaining("error row-decodes"),
  ]);
});
