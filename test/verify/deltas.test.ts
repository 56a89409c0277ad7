/** Deltas: each of these changes leads to findings of its own rule alone. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { Payload } from "../../src/codec/index.js";
import { deltaId010 } from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import { type Action010, ActionList010, ActionList011 } from "../../src/payloads/index.js";
import { type Core010, type Core011, core010, core011 } from "../../src/schemas/index.js";
import type { Store } from "../../src/store/index.js";
import {
  type Expected,
  edit,
  expectNews,
  flipped,
  inMemory,
  itFinds,
  itFindsIn,
  nobody,
  rowsOf,
} from "./altered.js";

const node = () => inMemory("core-0.11/node-a", core011);
const node010 = () => inMemory("core-0.10/node-a", core010);

const joined = () => inMemory("core-0.11/node-b", core011);

const isCheckpoint = ({ value }: { readonly value: { readonly checkpointRootHash: Uint8Array | null } }) =>
  value.checkpointRootHash !== null;

/** A delta that is not a head, with the deltas that follow it and its parent's row. */
async function inner(store: Store<Core011> | Store<Core010>) {
  const any = store as Store<Core010>;
  const all = await rowsOf(any, key.ContextDagDelta);
  const parentOf = (id: Uint8Array) =>
    all.filter(({ value }) => value.parents.some((parent) => toHex(parent) === toHex(id)));
  for (const delta of all) {
    const followers = parentOf(delta.key.deltaId);
    const [parent, ...others] = delta.value.parents;
    const above = all.find((one) => parent !== undefined && toHex(one.key.deltaId) === toHex(parent));
    if (followers.length === 1 && others.length === 0 && above !== undefined)
      return { delta, followers, parent: above };
  }
  throw new Error("the fixture has no such delta");
}

const warningsAt = (rows: readonly { readonly key: Expected[2] }[], rule: string): readonly Expected[] =>
  rows.map((row) => ["warning", rule, row.key]);

describe("the graph of deltas", () => {
  itFinds("delta-id", node010, async (store) => {
    const { delta } = await inner(store);
    const actions = delta.value.actions
      .decode()
      .map((action): Action010 => ("data" in action ? { ...action, data: nobody } : action));
    await store.put(delta.key, { ...delta.value, actions: Payload.of(ActionList010, actions) });
    return [["error", "delta-id", delta.key]];
  });

  itFindsIn(
    ["error", "delta-id", "a checkpoint"],
    joined,
    key.ContextDagDelta,
    () => ({ hlc: { time: 1n, id: 1n } }),
    isCheckpoint,
  );

  itFinds("delta-id and delta-parents, of a checkpoint with two parents", joined, async (store) => {
    const [{ key: at, value }] = await rowsOf(store, key.ContextDagDelta, isCheckpoint);
    await store.put(at, { ...value, parents: [new Uint8Array(32), new Uint8Array(32)] });
    return [
      ["error", "delta-id", at],
      ["error", "delta-parents", at],
    ];
  });

  it("delta-parents", async () => {
    await expectNews(await node010(), async (store) => {
      const { delta } = await inner(store);
      const parents = [...delta.value.parents, new Uint8Array(32)];
      await store.put(delta.key, { ...delta.value, parents });
      return [
        ["error", "delta-id", delta.key],
        ["error", "delta-parents", delta.key],
      ];
    });
    await expectNews(await node010(), async (store) => {
      const { delta } = await inner(store);
      const orphan = new key.ContextDagDelta({ contextId: delta.key.contextId, deltaId: deltaId010([], []) });
      await store.put(orphan, {
        ...delta.value,
        deltaId: orphan.deltaId,
        parents: [],
        actions: Payload.of(ActionList010, []),
      });
      return [["error", "delta-parents", orphan]];
    });
  });

  itFinds("delta-parents, of one that is its own", node010, async (store) => {
    const { delta } = await inner(store);
    await store.put(delta.key, { ...delta.value, parents: [delta.key.deltaId] });
    return [
      ["error", "delta-id", delta.key],
      ["error", "delta-parents", delta.key],
      // A delta is not later than itself.
      ["info", "delta-clock", delta.key],
    ];
  });

  itFinds("delta-parent-there", node, async (store) => {
    const { delta, followers } = await inner(store);
    await store.delete(delta.key);
    return warningsAt(followers, "delta-parent-there");
  });

  itFinds("delta-parent-applied", node010, async (store) => {
    const { delta, followers } = await inner(store);
    await store.put(delta.key, { ...delta.value, applied: false });
    return warningsAt(followers, "delta-parent-applied");
  });

  itFinds("delta-clock", node010, async (store) => {
    const { delta, parent } = await inner(store);
    await store.put(delta.key, { ...delta.value, hlc: parent.value.hlc });
    return [["info", "delta-clock", delta.key]];
  });

  itFindsIn(["warning", "delta-heads", "one is not there"], node, key.ContextMeta, ({ dagHeads }) => ({
    dagHeads: [...dagHeads, nobody],
  }));

  itFinds("delta-heads, of one that others follow", node, async (store) => {
    const { delta, followers } = await inner(store);
    const meta = new key.ContextMeta({ contextId: delta.key.contextId });
    await edit(store, meta, ({ dagHeads }) => ({ dagHeads: [...dagHeads, delta.key.deltaId] }));
    return warningsAt(followers, "delta-heads");
  });

  itFinds("delta-heads, of one that is not applied", node, async (store) => {
    const [meta] = await rowsOf(store, key.ContextMeta, ({ value }) => value.dagHeads.length === 1);
    const { contextId } = meta.key;
    const head = new key.ContextDagDelta({ contextId, deltaId: meta.value.dagHeads[0] ?? nobody });
    expect((await store.get(head))?.applied).toBe(true);
    await edit(store, head, () => ({ applied: false }));
    return [["warning", "delta-heads", meta.key]];
  });

  itFinds("delta-heads accepts the root hash in place of a delta in core-0.10", node010, async (store) => {
    const [{ key: at, value }] = await rowsOf(store, key.ContextMeta);
    await store.put(at, { ...value, dagHeads: [value.rootHash] });
    return [];
  });
});

describe("signed parts of deltas", () => {
  itFinds("delta-signature", node, async (store) => {
    const [one, other] = await rowsOf(
      store,
      key.ContextDagDelta,
      ({ value }) => value.deltaSignature !== null,
    );
    await store.put(one.key, {
      ...one.value,
      deltaSignature: flipped(one.value.deltaSignature ?? nobody, 40),
    });
    if (other !== undefined) await store.put(other.key, { ...other.value, authorId: null });
    return [one, other].flatMap((row) =>
      row === undefined ? [] : [["error", "delta-signature", row.key] as const],
    );
  });

  itFinds("action-signature: the id does not cover it", node, async (store) => {
    const isUser = ({ value }: { readonly value: { readonly actions: Payload<readonly unknown[]> } }) =>
      JSON.stringify(ActionList011.toJson(value.actions.value as never)).includes('"User"');
    const [{ key: at, value }] = await rowsOf(store, key.ContextDagDelta, isUser);
    const actions = value.actions.decode().map((action) => {
      const { storageType } = action.metadata;
      if (storageType.kind !== "User" || storageType.signatureData === null) return action;
      const signatureData = {
        ...storageType.signatureData,
        signature: flipped(storageType.signatureData.signature, 40),
      };
      return {
        ...action,
        metadata: { ...action.metadata, storageType: { ...storageType, signatureData } },
      };
    });
    await store.put(at, { ...value, actions: Payload.of(ActionList011, actions) });
    return [["warning", "action-signature", at]];
  });

  itFinds("action-nonce: an action that is made again", node010, async (store) => {
    const signed = await rowsOf(store, key.ContextDagDelta, ({ value }) =>
      (value.actions.value ?? []).some(
        (action) => action.kind === "Update" && action.metadata.storageType.kind === "User",
      ),
    );
    const [{ value, key: at }] = signed;
    const again = {
      ...value,
      parents: [value.deltaId],
      hlc: { ...value.hlc, time: value.hlc.time + (1n << 40n) },
      applied: false,
    };
    const id = deltaId010(again.parents, again.actions.decode());
    const late = new key.ContextDagDelta({ contextId: at.contextId, deltaId: id });
    await store.put(late, { ...again, deltaId: id });
    return [["warning", "action-nonce", late]];
  });
});
