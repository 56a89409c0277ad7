/** Deltas of core-1.0 in every form of signature, and blobs with chunks elsewhere: the rule that names each change. */
import { beforeEach, describe, expect, it } from "vitest";
import { Payload } from "../../src/codec/index.js";
import { sha256 } from "../../src/crypto/index.js";
import { blobRootId } from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import { type Action, ActionList, type DeltaRow } from "../../src/payloads/index.js";
import { allRules, verifyStore } from "../../src/verify/index.js";
import { listOf } from "../support/lists.js";
import { type Expected, edit, expectNews, flipped, nobody } from "./altered.js";
import { type Deltas, deltas } from "./governed/deltas.js";
import { contextId } from "./one-row/made.js";

let made: Deltas;
beforeEach(async () => {
  made = await deltas(true);
});

type V1 = Extract<DeltaRow, { readonly kind: "v1" }>;

const change = (name: keyof Deltas["ids"], alter: (row: V1) => Partial<V1>) =>
  edit(made.store, new key.ContextDagDelta({ contextId, deltaId: made.ids[name] }), (row) =>
    alter(row as V1),
  );

const changeActions = (name: keyof Deltas["ids"], alter: (action: Action) => object) =>
  change(name, ({ actions }) => {
    const list = actions.decode();
    return { actions: Payload.of(ActionList, { ...list, actions: list.actions.map(alter) } as ActionList) };
  });

/** The state is made beside the deltas and does not follow from them. */
const rules = allRules.filter(({ name }) => name !== "state-from-deltas");

/** A test: a change leads to these findings. */
const itFinds = (what: string, alter: () => Promise<readonly Expected[]>) =>
  it(what, () => expectNews(made.store, alter, { rules }));

describe("deltas of core-1.0", () => {
  it("have no finding in any form of signature and id", async () => {
    const verification = verifyStore(made.store);
    const found = new Set((await listOf(verification)).map(({ rule }) => rule));
    // The context has no application, and its id is not a public key.
    expect([...found].sort()).toEqual(["context-application", "context-id", "state-from-deltas"]);
    const { rules: counts } = await verification.summary();
    const checked = (name: string) => counts.find(({ rule }) => rule === name)?.checked;
    expect(checked("delta-id")).toBe(10);
    expect(checked("delta-signature")).toBe(8);
    expect(checked("action-signature")).toBe(2);
    expect(checked("operation-proof")).toBe(9);
    expect(checked("root-hash")).toBe(1);
  });

  for (const name of ["own", "events", "delegated", "delegatedB", "machine", "earlier"] as const)
    itFinds(`a signature in the form ${name} is named if it is changed`, async () => {
      const at = await change(name, ({ deltaSignature }) => ({
        deltaSignature: flipped(deltaSignature as Uint8Array),
      }));
      return [["error", "delta-signature", at]];
    });

  for (const name of ["first", "own", "events"] as const)
    itFinds(`other actions of ${name} are named by the id`, async () => {
      const at = await changeActions(name, (action) => ({ ...action, id: nobody }));
      // No source says whether the root is among the ancestors of an action.
      return [[name === "first" ? "warning" : "error", "delta-id", at]];
    });

  for (const name of ["delegatedA", "delegatedB"] as const)
    itFinds(`a changed warrant of ${name} is named`, async () => {
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

  for (const name of ["owned", "shared"] as const)
    itFinds(`a signature of an action of ${name} is named`, async () => {
      const at = await changeActions(name, (action) => {
        const { storageType } = action.metadata;
        if (!("signatureData" in storageType) || storageType.signatureData === null)
          throw new Error("no signature");
        const { signatureData: data } = storageType;
        const signatureData = { ...data, signature: flipped(data.signature) };
        return {
          ...action,
          metadata: { ...action.metadata, storageType: { ...storageType, signatureData } },
        };
      });
      return [["warning", "action-signature", at]];
    });

  itFinds("a lost hash of events, and a lost trigger, are named by what depends on them", async () => {
    const { store, ids } = made;
    for await (const { key: at } of store.table(key.Generic).scan()) await store.delete(at);
    const of = (deltaId: Uint8Array) => new key.ContextDagDelta({ contextId, deltaId });
    return [
      ["error", "delta-id", of(ids.events)],
      ["error", "delta-signature", of(ids.machine)],
    ];
  });

  itFinds("a changed warrant is named, by itself and by the signature over it", async () => {
    const at = await change("delegated", ({ delegation }) => {
      if (delegation?.kind !== "C") throw new Error("no delegation");
      return { delegation: { ...delegation, warrant: { ...delegation.warrant, nonce: 2n } } };
    });
    return [
      ["error", "delta-signature", at],
      ["error", "operation-proof", at],
    ];
  });

  itFinds("a head that is not there, and another root hash, are named", async () => {
    const at = new key.ContextMeta({ contextId });
    await edit(made.store, at, () => ({ dagHeads: [sha256(nobody)], rootHash: nobody }));
    return [
      ["error", "root-hash", at],
      ["warning", "delta-heads", at],
    ];
  });
});

describe("private state of core-1.0", () => {
  const stateKey = sha256(new TextEncoder().encode("Secrets"));
  const at = (tag: number) => new key.ContextPrivateState({ contextId, tag, stateKey });

  itFinds("has blobs of structs, of which nothing is known", async () => {
    await made.store.put(at(0xff), Uint8Array.of(1, 2, 3));
    return [];
  });

  for (const tag of [0, 2, 3, 0xfe])
    itFinds(`names a row that no node writes under tag ${tag}`, async () => {
      await made.store.put(at(tag), Uint8Array.of(1, 2, 3));
      // A newer node may have written a tag above the known ones.
      return [[tag > 3 ? "warning" : "error", "private-rows", at(tag)]];
    });
});

describe("blobs of core-1.0", () => {
  const chunks = [sha256(Uint8Array.of(1)), sha256(Uint8Array.of(2))] as const;
  const blobId = blobRootId(chunks);
  const chunk = { size: BigInt(1024 * 1024), links: [], refs: 1 };
  const whole = { size: BigInt(2 * 1024 * 1024), hash: nobody, links: [...chunks], refs: 1 };

  itFinds("are whole although their chunks lie under other ids", async () => {
    await made.store.put(new key.BlobMeta({ blobId }), whole);
    for (const [at, hash] of chunks.entries())
      await made.store.put(new key.BlobMeta({ blobId: sha256(Uint8Array.of(9, at)) }), { ...chunk, hash });
    return [];
  });

  itFinds("lack a chunk if another one lies under its hash", async () => {
    const at = new key.BlobMeta({ blobId });
    await made.store.put(at, whole);
    await made.store.put(new key.BlobMeta({ blobId: chunks[0] }), { ...chunk, hash: chunks[0] });
    return [["warning", "blob-chunks", at]];
  });

  itFinds("have the id that follows from their links", async () => {
    const at = new key.BlobMeta({ blobId: nobody });
    await made.store.put(at, whole);
    return [["error", "blob-id", at]];
  });
});
