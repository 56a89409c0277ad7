/** Keys of the rows of a context that are local to a node, sorted by context. Since core-0.11. */
import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { id32 } from "./part.js";
import { contextId, deltaId, part, publicKey } from "./parts.js";

/** A count of authored entities. `context_id (32)`, 32 bytes. */
export class ContextAuthoredRemaining extends keyParts(
  "ContextAuthoredRemaining",
  Column.ContextLocal,
  undefined,
  contextId,
) {}

/** A member who left. `context_id (32) ‖ public_key (32)`, 64 bytes: after the context's own row. */
export class ContextLeftMarker extends keyParts(
  "ContextLeftMarker",
  Column.ContextLocal,
  undefined,
  contextId,
  publicKey,
) {}

/**
 * A delta that waits for a newer application. `0x4A ‖ context_id (32) ‖ producing_app_key (32) ‖ delta_id (32)`, 97
 * bytes.
 */
export class AbsorbBufferKey extends keyParts(
  "AbsorbBufferKey",
  Column.AbsorbBuffer,
  0x4a,
  contextId,
  part(id32("producingAppKey")),
  deltaId,
) {}

/** A context whose migration failed. `context_id (32)`, 32 bytes. */
export class ContextMigrationFailed extends keyParts(
  "ContextMigrationFailed",
  Column.ContextMigrationFailed,
  undefined,
  contextId,
) {}

/** The blob that a context runs. `context_id (32)`, 32 bytes. */
export class ContextExecutingBlob extends keyParts(
  "ContextExecutingBlob",
  Column.ContextExecutingBlob,
  undefined,
  contextId,
) {}

/** The blob that a context activated. `context_id (32)`, 32 bytes. */
export class ContextActivatedBlob extends keyParts(
  "ContextActivatedBlob",
  Column.ContextActivatedBlob,
  undefined,
  contextId,
) {}

/** The version of the state that a context activated. `context_id (32)`, 32 bytes. */
export class ContextActivatedStateVersion extends keyParts(
  "ContextActivatedStateVersion",
  Column.ContextActivatedStateVersion,
  undefined,
  contextId,
) {}

/** A context that must sync anew. `context_id (32)`, 32 bytes. */
export class ContextResyncRequested extends keyParts(
  "ContextResyncRequested",
  Column.ContextResyncRequested,
  undefined,
  contextId,
) {}

/** Nonces of warrants that an author's device used. `context_id (32) ‖ device_key (32)`, 64 bytes. */
export class ContextWarrantNonce extends keyParts(
  "ContextWarrantNonce",
  Column.ContextWarrantNonce,
  undefined,
  contextId,
  part(id32("deviceKey")),
) {}
