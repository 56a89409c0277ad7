/** Namespaces: the node's identity in one, and its governance operations. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { contextId, deltaId, namespaceId } from "../parts.js";

/** The node's keys in a namespace. `0x36 ‖ namespace_id (32)`, 33 bytes. */
export class NamespaceIdentity extends keyParts("NamespaceIdentity", Column.Group, 0x36, namespaceId) {}

/** The same under the document's number. `0x37 ‖ namespace_id (32)`, 33 bytes. */
export class NamespaceIdentityDocumented extends keyParts(
  "NamespaceIdentity",
  Column.Group,
  0x37,
  namespaceId,
) {}

/** A governance operation. `0x38 ‖ namespace_id (32) ‖ delta_id (32)`, 65 bytes; not in causal order. */
export class NamespaceGovOp extends keyParts("NamespaceGovOp", Column.Group, 0x38, namespaceId, deltaId) {}

/** Last sequence and heads of a namespace's operations. `0x39 ‖ namespace_id (32)`, 33 bytes. */
export class NamespaceGovHead extends keyParts("NamespaceGovHead", Column.Group, 0x39, namespaceId) {}

/**
 * A mark that this node takes part in a namespace; the number of NamespaceIdentity. `0x36 ‖ namespace_id (32)`, 33
 * bytes.
 */
export class NamespaceParticipation extends keyParts(
  "NamespaceParticipation",
  Column.Group,
  0x36,
  namespaceId,
) {}

/** The service that a context runs. `0x37 ‖ context_id (32)`, 33 bytes. */
export class ContextServiceName extends keyParts("ContextServiceName", Column.Group, 0x37, contextId) {}

/** A namespace that this node left and must still forget. `0x3D ‖ namespace_id (32)`, 33 bytes. */
export class PendingSelfPurge extends keyParts("PendingSelfPurge", Column.Group, 0x3d, namespaceId) {}

/** The account that invited this node into a namespace. `0x47 ‖ namespace_id (32)`, 33 bytes. */
export class NamespaceBootstrapInviter extends keyParts(
  "NamespaceBootstrapInviter",
  Column.Group,
  0x47,
  namespaceId,
) {}
