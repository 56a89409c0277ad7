/** Deltas of core-1.0 in every form of signature, and blobs with chunks elsewhere: the rule that names each change. */
import { beforeEach, describe, expect, it } from "vitest";
import { Payload } from "../../src/codec/index.js";
import { sha256 } from "../../src/crypto/index.js";
import { blobRootId } from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import { ActionList, type DeltaRow } from "../../src/payloads/index.js";
import { allRules, verifyStore } from "../../src/verify/index.js";
import { type Expected, expectNews, flipped, nobody } from "./altered.js";
import { type Deltas, deltas } from "./governed/deltas.js";
import { contextId } from "./one-row/made.js";

let made: Deltas;
beforeEach(async () => {
  made = await deltas(true);
});

type V1 = Extract<DeltaRow, { readonly kind: "v1" }>;
type Name = keyof Deltas["ids"];

async function change(name: Name, alter: (row: V1) => Partial<V1>): Promise<key.ContextDagDelta> {
  const at = new key.ContextDagDelta({ contextId, deltaId: made.ids[name] });
  const row = (await made.store.get(at)) as V1;
  await made.store.put(at, { ...row, ...alter(row) });
  return at;
}

/** The state is made beside the deltas and does not follow from them. */
const rules = allRules.filter(({ name }) => name !== "state-from-deltas");

const news = (alter: () => Promise<readonly Expected[]>): Promise<void> =>
  expectNews(made.store, alter, { rules });

describe("deltas of core-1.0", () => {
  it("have no finding in any form of signature and id", async () => {
    const found: string[] = [];
    const verification = verifyStore(made.store);
    for await (const { rule } of verification) found.push(rule);
    // The context has no application, and its id is not a public key.
    expect([...new Set(found)].sort()).toEqual(["context-application", "context-id", "state-from-deltas"]);
    const { rules: counts } = await verification.summary();
    const checked = (name: string) => counts.find(({ rule }) => rule === name)?.checked;
    expect(checked("delta-id")).toBe(10);
    expect(checked("delta-signature")).toBe(8);
    expect(checked("action-signature")).toBe(2);
    expect(checked("operation-proof")).toBe(9);
    expect(checked("root-hash")).toBe(1);
  });

  it.each(["own", "events", "delegated", "delegatedB", "machine", "earlier"] as const)(
    "a signature in the form %s is named if it is changed",
    async (name) => {
      await news(async () => {
        const at = await change(name, ({ deltaSignature }) => ({
          deltaSignature: flipped(deltaSignature as Uint8Array),
        }));
        return [["error", "delta-signature", at]];
      });
    },
  );

  it.each(["first", "own", "events"] as const)("other actions of %s are named by the id", async (name) => {
    await news(async () => {
      const at = await change(name, ({ actions }) => {
        const list = actions.value;
        if (list === undefined) throw new Error("no actions");
        const changed = list.actions.map((action) => ({ ...action, id: nobody }));
        return { actions: Payload.of(ActionList, { ...list, actions: changed } as ActionList) };
      });
      // No source says whether the root is among the ancestors of an action.
      return [[name === "first" ? "warning" : "error", "delta-id", at]];
    });
  });

  it.each(["delegatedA", "delegatedB"] as const)("a changed warrant of %s is named", async (name) => {
    await news(async () => {
      const at = await change(name, ({ delegation }) => {
        if (delegation === null || delegation.kind === "C") throw new Error("another delegation");
        const warrant = { ...delegation.warrant, notAfter: 5n };
        return { delegation: { ...delegation, warrant } as typeof delegation };
      });
      return [
        ...(name === "delegatedB" ? ([["error", "delta-signature", at]] as const) : []),
        ["error", "operation-proof", at],
      ];
    });
  });

  it.each(["owned", "shared"] as const)("a signature of an action of %s is named", async (name) => {
    await news(async () => {
      const at = await change(name, ({ actions }) => {
        const list = actions.value;
        if (list === undefined) throw new Error("no actions");
        const changed = list.actions.map((action) => {
          const { storageType } = action.metadata;
          if (!("signatureData" in storageType) || storageType.signatureData === null)
            throw new Error("no signature");
          const signatureData = {
            ...storageType.signatureData,
            signature: flipped(storageType.signatureData.signature),
          };
          return {
            ...action,
            metadata: { ...action.metadata, storageType: { ...storageType, signatureData } },
          };
        });
        return { actions: Payload.of(ActionList, { ...list, actions: changed } as ActionList) };
      });
      return [["warning", "action-signature", at]];
    });
  });

  it("a lost hash of events, and a lost trigger, are named by what depends on them", async () => {
    const { store, ids } = made;
    await news(async () => {
      for await (const { key: at } of store.table(key.Generic).scan()) await store.delete(at);
      const of = (deltaId: Uint8Array) => new key.ContextDagDelta({ contextId, deltaId });
      return [
        ["error", "delta-id", of(ids.events)],
        ["error", "delta-signature", of(ids.machine)],
      ];
    });
  });

  it("a changed warrant is named, by itself and by the signature over it", async () => {
    await news(async () => {
      const at = await change("delegated", ({ delegation }) => {
        if (delegation?.kind !== "C") throw new Error("no delegation");
        return { delegation: { ...delegation, warrant: { ...delegation.warrant, nonce: 2n } } };
      });
      return [
        ["error", "delta-signature", at],
        ["error", "operation-proof", at],
      ];
    });
  });

  it("a head that is not there, and another root hash, are named", async () => {
    await news(async () => {
      const at = new key.ContextMeta({ contextId });
      const value = await made.store.get(at);
      if (value === undefined) throw new Error("no context");
      await made.store.put(at, { ...value, dagHeads: [sha256(nobody)], rootHash: nobody });
      return [
        ["error", "root-hash", at],
        ["warning", "delta-heads", at],
      ];
    });
  });
});

describe("private state of core-1.0", () => {
  const stateKey = sha256(new TextEncoder().encode("Secrets"));
  const at = (tag: number) => new key.ContextPrivateState({ contextId, tag, stateKey });

  it("has blobs of structs, of which nothing is known", async () => {
    await news(async () => {
      await made.store.put(at(0xff), Uint8Array.of(1, 2, 3));
      return [];
    });
  });

  it.each([0, 2, 3, 0xfe])("names a row that no node writes under tag %s", async (tag) => {
    await news(async () => {
      await made.store.put(at(tag), Uint8Array.of(1, 2, 3));
      // A newer node may have written a tag above the known ones.
      return [[tag > 3 ? "warning" : "error", "private-rows", at(tag)]];
    });
  });
});

describe("blobs of core-1.0", () => {
  const chunks = [sha256(Uint8Array.of(1)), sha256(Uint8Array.of(2))] as const;
  const blobId = blobRootId(chunks);
  const chunk = { size: BigInt(1024 * 1024), links: [], refs: 1 };
  const whole = { size: BigInt(2 * 1024 * 1024), hash: nobody, links: [...chunks], refs: 1 };

  it("are whole although their chunks lie under other ids", async () => {
    await news(async () => {
      await made.store.put(new key.BlobMeta({ blobId }), whole);
      for (const [at, hash] of chunks.entries())
        await made.store.put(new key.BlobMeta({ blobId: sha256(Uint8Array.of(9, at)) }), { ...chunk, hash });
      return [];
    });
  });

  it("lack a chunk if another one lies under its hash", async () => {
    await news(async () => {
      const at = new key.BlobMeta({ blobId });
      await made.store.put(at, whole);
      await made.store.put(new key.BlobMeta({ blobId: chunks[0] }), { ...chunk, hash: chunks[0] });
      return [["warning", "blob-chunks", at]];
    });
  });

  it("have the id that follows from their links", async () => {
    await news(async () => {
      const at = new key.BlobMeta({ blobId: nobody });
      await made.store.put(at, whole);
      return [["error", "blob-id", at]];
    });
  });
});
