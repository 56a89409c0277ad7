/** The forms of rows of core-1.0 that no row of a real node has confirmed. */
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { blobRootId } from "../../src/digests/index.js";
import { openMemoryEngine, type WriteOperation } from "../../src/engines/index.js";
import { ContextDagDelta, ContextState011, ContextWarrantNonce } from "../../src/keys/index.js";
import { core10, core011, type Schema, unknownRows } from "../../src/schemas/index.js";
import { fixtureRows } from "../support/fixtures.js";

const schema: Schema = core10;
const others = fixtureRows("core-1.0/every-kind").map(
  ({ column, key, value }): WriteOperation & { type: "put" } => ({
    type: "put",
    column,
    key: fromHex(key),
    value: fromHex(value),
  }),
);
const id = (byte: number) => Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? byte : at));

async function pointsOf(rows: readonly WriteOperation[], of: Schema = schema) {
  await using engine = openMemoryEngine({ columns: schema.columns });
  await engine.write(rows);
  const { openPoints } = await unknownRows(engine, of);
  return Object.fromEntries(openPoints.map(({ point, forms }) => [point, forms]));
}

it("are counted for every kind of row that has several", async () => {
  expect(await pointsOf(others)).toMatchObject({
    "layout of deltas": { "legacy-16-delegation": 4, "legacy-24": 4, "legacy-24-delegation": 4, v1: 4 },
    "delegation of deltas": { A: 1, B: 3, C: 1 },
    "actions of deltas": { "does not decode": 16 },
    "keys of nonces of warrants": { "64 bytes": 1 },
    "values of owners of blobs": { "0 bytes": 1 },
    "changed entities of the search index": { V1: 2 },
    "operations of scopes": { today: 3 },
    "records of the absorb buffer": { decodes: 1 },
    "versions of operations on namespaces": { "version 23": 12 },
    "devices of accounts": { Applications: 1, Scope: 1 },
    "keys of accounts of signers": { "97 bytes": 1 },
    "first chunks of blobs": { "under another id": 2 },
  });
});

it("are recognised in the other form too", async () => {
  const put = (column: string, key: Uint8Array, value: Uint8Array): WriteOperation => ({
    type: "put",
    column,
    key,
    value,
  });
  const digest = id(5);
  const meta = (links: readonly Uint8Array[]) => ({ size: 3n, hash: digest, links, refs: 1 });
  const blob = schema.row("BlobMeta").value;
  const delta = others.find(({ column, value }) => column === "Delta" && value[0] === 0xcd) ?? others[0];
  const nonce = new ContextWarrantNonce({ contextId: id(1), deviceKey: id(2) }).bytes;
  const found = await pointsOf([
    put("Blobs", digest, blob.encode(meta([]))),
    put("Blobs", blobRootId([digest]), blob.encode(meta([digest]))),
    put("ContextWarrantNonce", Uint8Array.of(...nonce, ...id(3)), new Uint8Array(16)),
    put("State", new ContextState011({ contextId: id(1), stateKey: id(2) }).bytes, new Uint8Array(4)),
    put(
      "Delta",
      new ContextDagDelta({ contextId: id(1), deltaId: id(2) }).bytes,
      delta?.value ?? new Uint8Array(),
    ),
    put("BlobOwner", Uint8Array.of(...id(1), ...id(2)), Uint8Array.of(1)),
  ]);
  expect(found).toMatchObject({
    "first chunks of blobs": { "under their hash": 1 },
    "keys of nonces of warrants": { "96 bytes": 1 },
    "tags of state keys": { "key of 64 bytes": 1 },
    "layout of deltas": { v1: 1 },
    "values of owners of blobs": { "1 byte": 1 },
  });
});

it("contain no bytes of a row, and belong to core-1.0 only", async () => {
  const text = JSON.stringify(await pointsOf(others));
  for (const { key, value } of others)
    for (const bytes of [key, value])
      if (bytes.length > 4) expect(text).not.toContain(toHex(bytes.subarray(1, 5)));
  expect(await pointsOf(others, core011)).toEqual({});
});
