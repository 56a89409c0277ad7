/** Namespaces: the node's identity in one, and its governance operations. */
import { Column } from "../../columns/index.js";
import { keyParts } from "../key-parts.js";
import { deltaId, namespaceId } from "../parts.js";

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
