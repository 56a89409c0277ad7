/** Databases with other rows, as sources of a comparison. */

import { expect } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import type { EngineReader } from "../../src/engine/engine.js";
import { ContextDagDelta, NamespaceGovOp } from "../../src/keys/index.js";
import { CalimeroNode } from "../../src/node/index.js";
import { core011 } from "../../src/schemas/index.js";
import { type Store, StoreReader } from "../../src/store/index.js";
import { PendingReader } from "../../src/store/pending.js";
import { type WhyAnswer, type WhyPair, type WhySource, whyDiffer } from "../../src/why/index.js";

export type Core011 = typeof core011;
export type Change = Parameters<PendingReader["add"]>[0];

export const sourceOf = (name: string, reader: StoreReader): WhySource => ({
  name,
  reader,
  node: new CalimeroNode(reader),
});

/** A database with other rows. */
export function changed(
  reader: { readonly raw: EngineReader },
  changes: readonly Change[],
): StoreReader<Core011> {
  const pending = new PendingReader(reader.raw);
  for (const change of changes) pending.add(change);
  return new StoreReader(pending, core011);
}

/** The key of an operation. Ids are 64 hex digits. */
export function operationKey(namespace: string, id: string): NamespaceGovOp {
  return new NamespaceGovOp({ namespaceId: fromHex(namespace), deltaId: fromHex(id) });
}

/** Puts deltas of a store as if they were pending. */
export function notApplied(
  store: Store<Core011>,
  contextId: Uint8Array,
  ids: readonly string[],
): Promise<readonly Change[]> {
  const row = core011.row("ContextDagDelta");
  return Promise.all(
    ids.map(async (id): Promise<Change> => {
      const key = new ContextDagDelta({ contextId, deltaId: fromHex(id) });
      const value = row.value.encode({ ...(await store.get(key)), applied: false } as never);
      return { type: "put", column: "Delta", key: key.bytes, value };
    }),
  );
}

/** The causes of an answer with the numbers of their rows, in the same order for both orders of nodes. */
export function countsOf(answer: WhyAnswer | undefined): readonly string[] {
  const causes = answer?.pairs[0]?.causes ?? [];
  return causes.map(({ rule, sentence, rowCount }) => `${rule} ${sentence} ${rowCount}`).toSorted();
}

/** The answer about a group. Exchanging the nodes must not change it. */
export async function groupOf(group: string, first: StoreReader, second: StoreReader): Promise<WhyPair> {
  const sources = [sourceOf("A", first), sourceOf("B", second)];
  const [answer] = await whyDiffer(sources, { group });
  const [other] = await whyDiffer(sources.toReversed(), { group });
  expect(other?.sentence).toBe(answer?.sentence);
  expect(countsOf(other)).toEqual(countsOf(answer));
  expect(answer?.pairs[0]?.unexplained).toEqual([]);
  return answer?.pairs[0] as WhyPair;
}
