/** All rows of one context, in the proportions of a real node: State 600, Delta 270, Group 125, the rest 5 of 1000. */
import { derivePublicKey } from "../../src/crypto/index.js";
import { ContextConfig, ContextIdentity, ContextMeta } from "../../src/keys/index.js";
import type { ContextMetaValue } from "../../src/values/index.js";
import type { Random } from "../random.js";
import { fillDeltas } from "./delta.js";
import { putEntities } from "./entities.js";
import { fillGroup } from "./group.js";
import type { Filler, Put } from "./put.js";

/** Puts about `rows` rows. */
export function* fillContext(put: Put, random: Random, rows: number): Filler {
  const contextId = derivePublicKey(random.id());
  put(new ContextConfig({ contextId }), { applicationRevision: 1n, membersRevision: 1n });
  const identities = Math.max(1, Math.floor(rows * 0.005));
  for (let count = 0; count < identities; count++) {
    const privateKey = random.id();
    const own = count === 0;
    put(new ContextIdentity({ contextId, publicKey: derivePublicKey(privateKey) }), {
      privateKey: own ? privateKey : null,
      senderKey: own ? random.id() : null,
    });
  }
  yield;
  const size = { deltas: Math.floor(rows * 0.27), entries: Math.floor(rows * 0.3) };
  const { root, head } = yield* fillDeltas(put, random, contextId, size);
  yield* putEntities(put, contextId, root);
  put(new ContextMeta({ contextId }), {
    ...makeContextMeta(random),
    rootHash: root.fullHash,
    dagHeads: [head],
  });
  yield* fillGroup(put, random, contextId, Math.floor(rows * 0.125));
}

/** A context with one head. 101 bytes. */
export function makeContextMeta(random: Random): ContextMetaValue {
  return { application: random.id(), rootHash: random.id(), dagHeads: [random.id()], serviceName: null };
}
