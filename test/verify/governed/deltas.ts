/** A context of core-1.0 whose deltas are signed in every form, with a small state. */
import { fromHex } from "../../../src/bytes/hex.js";
import { Payload } from "../../../src/codec/index.js";
import { sha256, sign } from "../../../src/crypto/index.js";
import * as digest from "../../../src/digests/index.js";
import * as key from "../../../src/keys/index.js";
import {
  type Action,
  ActionList,
  type DeltaRow,
  type SignatureData,
  type StorageType,
  type Warrant,
} from "../../../src/payloads/index.js";
import { type Core10, core10 } from "../../../src/schemas/index.js";
import type { Store } from "../../../src/store/index.js";
import { memoryStore } from "../../../src/testing/memory-store.js";
import { type Actor, Chance, makeActor } from "../../node/replay/histories/actors.js";
import { publicMetadata, unsignedDelta } from "../../support/plain-rows.js";
import { collections, contextId, made } from "../one-row/made.js";

type V1 = Extract<DeltaRow, { readonly kind: "v1" }>;

/** The context, and the ids of its deltas by their form of signature. */
export interface Deltas {
  readonly store: Store<Core10>;
  readonly author: Actor;
  readonly ids: Readonly<
    Record<
      | "first"
      | "own"
      | "events"
      | "delegated"
      | "delegatedA"
      | "delegatedB"
      | "machine"
      | "earlier"
      | "owned"
      | "shared",
      Uint8Array
    >
  >;
}

const TIME = 1_790_000_000_000_000_000n;

/**
 * Makes the context. Each delta follows the one before.
 *
 * @param withFirstLayout adds a delta with a warrant of the first layout; no source tells what its signature covers
 */
export async function deltas(withFirstLayout = false): Promise<Deltas> {
  const store = memoryStore(core10);
  const chance = new Chance(11);
  const [author, executor] = [makeActor(chance, true), makeActor(chance, true)];
  const { rows, rootHash } = made(collections(3));
  await store.raw.write(
    [...rows].map(([at, value]) => {
      return { type: "put", column: "State", key: fromHex(at), value: fromHex(value) };
    }),
  );
  let parent: Uint8Array = new Uint8Array(32);
  let time = 100n;

  const put = async (
    make: (start: {
      readonly deltaId: Uint8Array;
      readonly hlc: { time: bigint; id: bigint };
    }) => Partial<V1>,
    {
      events,
      kept,
      root,
      guarded = (action) => action,
    }: {
      events?: Uint8Array;
      kept?: boolean;
      root?: boolean;
      /** Puts the entity under a guard, and signs the action. */
      guarded?: (action: Extract<Action, { readonly kind: "Add" }>) => Action;
    } = {},
  ): Promise<Uint8Array> => {
    time++;
    const action = guarded({
      kind: "Add",
      id: sha256(Uint8Array.of(Number(time))),
      data: Uint8Array.of(1, 2, 3),
      ancestors: root ? [contextId] : [],
      metadata: { ...publicMetadata(TIME, TIME + time), order: 0n },
    });
    const covered = { ...action, ancestors: [] };
    const deltaId = digest.deltaId(events && digest.eventsHash(events), [parent], [covered]);
    const hlc = { time, id: 7n };
    const row: V1 = {
      kind: "v1",
      parents: [parent],
      actions: Payload.of(ActionList, { kind: "ShortIds", actions: [action] }),
      hlc,
      ...unsignedDelta,
      events: events === undefined || kept ? null : events,
      authorId: fromHex(author.publicKey),
      delegation: null,
      ...make({ deltaId, hlc }),
    };
    await store.put(new key.ContextDagDelta({ contextId, deltaId }), row);
    if (kept && events !== undefined)
      await store.put(
        new key.Generic({
          scope: key.scopeBytes("calimero-deltevh") as Uint8Array,
          fragment: digest.eventsFragment(contextId, deltaId),
        }),
        digest.eventsHash(events),
      );
    parent = deltaId;
    return deltaId;
  };
  const envelope = (start: { readonly deltaId: Uint8Array; readonly hlc: V1["hlc"] }) => ({
    contextId,
    authorId: fromHex(author.publicKey),
    governancePosition: null,
    ...start,
  });

  const first = await put(() => ({ authorId: null }), { root: true });
  const own = await put((start) => ({
    deltaSignature: sign(author.seed, digest.deltaSigningBytes(envelope(start))),
  }));
  const events = await put(
    (start) => ({ deltaSignature: sign(author.seed, digest.deltaSigningBytes(envelope(start))) }),
    { events: Uint8Array.of(1, 0, 0, 0), kept: true },
  );
  const executorKey = fromHex(executor.publicKey);
  const unsigned: Omit<Warrant, "signature"> = {
    context: contextId,
    authorAccount: fromHex(author.id),
    authorDeviceKey: fromHex(author.publicKey),
    executor: fromHex(executor.id),
    executorKey,
    releaseBytecodeId: new Uint8Array(32),
    releaseVersion: "1.0.0",
    method: "set",
    intentHash: digest.intentHash("set", new Uint8Array()),
    accountHeads: [],
    governanceFloor: [],
    nonce: 1n,
    notAfter: 1_795_000_000n,
  };
  const warrant = { ...unsigned, signature: sign(author.seed, digest.warrantDigest(unsigned)) };
  const proofOf = ({ genesis, cert }: Actor) => ({ genesis, chain: [], statement: cert });
  const delegated = await put((start) => ({
    deltaSignature: sign(
      executor.seed,
      digest.delegatedDeltaSigningBytes(envelope(start), executorKey, { kind: "C", warrant }),
    ),
    delegation: {
      kind: "C",
      warrant,
      authorProof: proofOf(author),
      executorProof: proofOf(executor),
      executorKey,
    },
  }));
  const parties = {
    context: contextId,
    authorAccount: fromHex(author.id),
    authorDeviceKey: fromHex(author.publicKey),
    executor: fromHex(executor.id),
    intentHash: digest.intentHash("set", new Uint8Array()),
    nonce: 2n,
    notAfter: 1_795_000_000n,
  };
  const proofs = { authorProof: proofOf(author), executorProof: proofOf(executor) };
  const delegatedA = withFirstLayout
    ? await put(() => ({
        deltaSignature: new Uint8Array(64),
        delegation: {
          kind: "A",
          warrant: { ...parties, signature: sign(author.seed, digest.warrantDigestA(parties)) },
          ...proofs,
        },
      }))
    : parent;
  const second = {
    ...parties,
    appVersion: new Uint8Array(32),
    method: "set",
    accountHeads: [contextId],
    governanceFloor: [],
  };
  const warrantB = { ...second, signature: sign(author.seed, digest.warrantDigestB(second)) };
  const delegatedB = await put((start) => ({
    deltaSignature: sign(
      executor.seed,
      digest.delegatedDeltaSigningBytes(envelope(start), executorKey, { kind: "B", warrant: warrantB }),
    ),
    delegation: { kind: "B", warrant: warrantB, ...proofs, executorKey },
  }));
  const signed = (start: Parameters<typeof envelope>[0]) => ({
    deltaSignature: sign(author.seed, digest.deltaSigningBytes(envelope(start))),
  });
  const owned = await put(signed, {
    guarded: (action) =>
      signedAction(author, action, (signatureData) => ({
        kind: "User",
        owner: fromHex(author.id),
        signatureData: { ...signatureData, onBehalf: fromHex(executor.id) },
        rules: { immutable: true, moderators: contextId },
      })),
  });
  const shared = await put(signed, {
    guarded: (action) =>
      signedAction(author, action, (signatureData) => ({
        kind: "Shared",
        writers: new Map([[author.id, 9]]),
        signatureData,
      })),
  });
  const trigger = { kind: "Timer" as const, method: "tick", tick: 1n, everySecs: 60n };
  const machine = await put((start) => ({
    deltaSignature: sign(author.seed, digest.teeDeltaSigningBytes(envelope(start), trigger)),
  }));
  await store.put(
    new key.Generic({
      scope: key.scopeBytes("calimero-teedelt") as Uint8Array,
      fragment: digest.triggerFragment(contextId, machine),
    }),
    digest.TeeTrigger.encode(trigger),
  );
  const earlier = await put((start) => ({
    deltaSignature: sign(
      author.seed,
      digest.earlierDeltaSigningBytes(envelope(start), true)[0] as Uint8Array,
    ),
  }));

  await store.put(new key.ContextMeta({ contextId }), {
    application: new Uint8Array(32),
    rootHash: fromHex(rootHash),
    dagHeads: [earlier],
    serviceName: null,
  });
  await store.put(new key.ContextConfig({ contextId }), { applicationRevision: 0n, membersRevision: 0n });
  const ids = { first, own, events, delegated, delegatedA, delegatedB, machine, earlier, owned, shared };
  return { store, author, ids };
}

/** An action under a guard, with a signature over the first form of it. */
function signedAction(
  { seed, publicKey }: Actor,
  action: Extract<Action, { readonly kind: "Add" }>,
  guard: (data: SignatureData) => StorageType,
): Action {
  const data = { nonce: action.metadata.updatedAt, signer: fromHex(publicKey), onBehalf: null };
  const guarded = (signature: Uint8Array): Action => ({
    ...action,
    metadata: { ...action.metadata, storageType: guard({ ...data, signature }) },
  });
  const [digestOf] = digest.possibleActionDigests(guarded(new Uint8Array(64)));
  return guarded(sign(seed, digestOf as Uint8Array));
}
