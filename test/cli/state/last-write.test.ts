/** The delta that wrote an entry of the application's data last, if the entry has a collection in it. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { toHex } from "../../../src/bytes/hex.js";
import { str, u32 } from "../../../src/codec/index.js";
import { collectionId, mapEntryId } from "../../../src/digests/index.js";
import type { Action } from "../../../src/payloads/index.js";
import { core10 } from "../../../src/schemas/index.js";
import { openStore } from "../../../src/store/index.js";
import { CONTEXT, deltaId, history, type MadeDelta, rowsAfter } from "../../state/replay/made-deltas.js";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { publicMetadata } from "../../support/plain-rows.js";
import { linesOf, played } from "../run.js";

const folder = temporaryFolder();
const db = join(folder.path, "db");
const abi = ["--abi", fixturePath("core-1.0", "state", "abi.json"), "--json"];

const GROUPS = collectionId("groups");
const entryOf = (collection: Uint8Array, key: string): Uint8Array =>
  mapEntryId(collection, new TextEncoder().encode(key));
const GROUP = entryOf(GROUPS, "g");
const MEMBERS = collectionId("__nested_map", GROUP);
const handleOf = (id: Uint8Array): Uint8Array => concat(id, Uint8Array.of(1, 0x84));

const metadataAt = (second: number) => ({
  ...publicMetadata(1_790_000_000_000_000_000n + BigInt(second) * 1_000_000_000n),
  order: BigInt(second),
});
const put = (collection: Uint8Array, key: string, value: Uint8Array, second: number): Action => {
  const id = entryOf(collection, key);
  const data = concat(value, str.encode(key), id);
  return { kind: "Add", id, ancestors: [collection], data, metadata: metadataAt(second) };
};
const map = (id: Uint8Array, fieldName: string, second: number): Action => ({
  kind: "Add",
  id,
  ancestors: [CONTEXT],
  data: handleOf(id),
  metadata: { ...metadataAt(second), crdtType: { kind: "UnorderedMap" }, fieldName },
});
const removal: Action = {
  kind: "DeleteRef",
  id: entryOf(MEMBERS, "b"),
  deletedAt: metadataAt(4).createdAt,
  metadata: metadataAt(3),
};

const made: readonly MadeDelta[] = [
  { number: 1, actions: [...(history[0] as MadeDelta).actions, map(GROUPS, "groups", 1)] },
  {
    number: 2,
    actions: [
      map(MEMBERS, "__nested_map", 2),
      put(GROUPS, "g", handleOf(MEMBERS), 2),
      put(MEMBERS, "a", u32.encode(1), 2),
    ],
  },
  { number: 3, actions: [put(MEMBERS, "b", u32.encode(2), 3)] },
  { number: 4, actions: [removal] },
];

beforeAll(async () => {
  const { rows } = await rowsAfter(CONTEXT, made);
  await using store = await openStore(db, { create: true, schema: core10 });
  await store.raw.write(rows);
});
afterAll(() => folder[Symbol.dispose]());

/** The line of JSON about the entry. */
async function entryIn(...options: readonly string[]): Promise<unknown> {
  const { stdout } = await played(0, "state", db, toHex(CONTEXT), ...options, ...abi);
  return linesOf(stdout)
    .map((line) => JSON.parse(line) as { readonly path?: string })
    .find(({ path }) => path === 'groups["g"]');
}

describe("the last write of an entry with a map in it", () => {
  it.each([
    [2, { a: 1 }],
    [3, { a: 1, b: 2 }],
    [4, { a: 1 }],
  ])("is the write or the deletion of delta %i in the map", async (number, value) => {
    const delta = toHex(deltaId(number));
    const at = ["--at", String(number - 1), "--diff", String(number)];
    expect(await entryIn(...at)).toMatchObject({ after: value, delta });
    if (number === made.length) expect(await entryIn("--blame")).toMatchObject({ value, delta });
  });
});
