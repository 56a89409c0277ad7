/** Keys of the column families that are sorted by context, then by the second part of a key. */
import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { byte, id32, tail } from "./part.js";
import { contextId, deltaId, part, publicKey } from "./parts.js";

/** A context's application, root hash and delta heads. `context_id (32)`, 32 bytes. */
export class ContextMeta extends keyParts("ContextMeta", Column.Meta, undefined, contextId) {}

/** A context's revision counters. `context_id (32)`, 32 bytes. */
export class ContextConfig extends keyParts("ContextConfig", Column.Config, undefined, contextId) {}

/** An identity in a context. `context_id (32) ‖ public_key (32)`, 64 bytes. */
export class ContextIdentity extends keyParts(
  "ContextIdentity",
  Column.Identity,
  undefined,
  contextId,
  publicKey,
) {}

/** The node's identity in a context, in the document: without a public key. `context_id (32)`, 32 bytes. */
export class ContextIdentityDocumented extends keyParts(
  "ContextIdentity",
  Column.Identity,
  undefined,
  contextId,
) {}

const stateTag = part(byte("tag", { entity: 0x00, children: 0x03, private: 0xff }));
const stateKey = part(id32("stateKey"));
/** The document's key of an entry, of no fixed length. */
const stateKeyTail = part(tail("stateKey"));

/**
 * An entity of a context's shared state (tag 0), or a row of the trie of an entity's children (tag 3). `context_id (32)
 * ‖ tag (1) ‖ state_key (32)`, 65 bytes.
 */
export class ContextState extends keyParts(
  "ContextState",
  Column.State,
  undefined,
  contextId,
  stateTag,
  stateKey,
) {}

/** An entry of a context's shared state in core-0.10 and core-0.11. `context_id (32) ‖ state_key (32)`, 64 bytes. */
export class ContextState011 extends keyParts("ContextState", Column.State, undefined, contextId, stateKey) {}

/**
 * An entry of a context's shared state in the document. `context_id (32) ‖ state_key (any length)`, at least 32 bytes.
 */
export class ContextStateDocumented extends keyParts(
  "ContextState",
  Column.State,
  undefined,
  contextId,
  stateKeyTail,
) {}

/** An entry of the node's private state. `context_id (32) ‖ tag (1) ‖ state_key (32)`, 65 bytes. */
export class ContextPrivateState extends keyParts(
  "ContextPrivateState",
  Column.PrivateState,
  undefined,
  contextId,
  stateTag,
  stateKey,
) {}

/** A row of State from a snapshot that is being installed. `context_id (32) ‖ tag (1) ‖ state_key (32)`, 65 bytes. */
export class SnapshotStage extends keyParts(
  "SnapshotStage",
  Column.SnapshotStage,
  undefined,
  contextId,
  stateTag,
  stateKey,
) {}

/** An entry of the node's private state in core-0.10 and core-0.11. `context_id (32) ‖ state_key (32)`, 64 bytes. */
export class ContextPrivateState011 extends keyParts(
  "ContextPrivateState",
  Column.PrivateState,
  undefined,
  contextId,
  stateKey,
) {}

/**
 * An entry of the node's private state in the document. `context_id (32) ‖ state_key (any length)`, at least 32 bytes.
 */
export class ContextPrivateStateDocumented extends keyParts(
  "ContextPrivateState",
  Column.PrivateState,
  undefined,
  contextId,
  stateKeyTail,
) {}

/** A causal delta. `context_id (32) ‖ delta_id (32)`, 64 bytes. Sorted by id, not by time. */
export class ContextDagDelta extends keyParts(
  "ContextDagDelta",
  Column.Delta,
  undefined,
  contextId,
  deltaId,
) {}
