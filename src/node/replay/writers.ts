/**
 * The writers of rows other than operations: the node writes by itself, on request of its user, or on another node's
 * answer.
 */

/** The writers of rows other than operations, in words. */
export const WRITERS = {
  /** The node founded the group. */
  founding: "the founding of the group on this node",
  /** A name that is not sent to others. */
  "local name": "a name that was given on this node alone",
  /** The node added a member when it answered a request to join. */
  "pre-registration": "an answer of this node to a request to join",
  /** A key that the node made, or got with an answer. */
  "local key": "a key that came without an operation",
  /** The node bound its device. */
  "own account": "the account of this node",
  /** An upgrade that the node began or cancelled. */
  upgrade: "an upgrade on this node",
  /** The facts that the node was told when it joined. */
  "join answer": "the answer that this node got when it joined",
  /** Operations of a group that was deleted. */
  "deleted log": "operations whose log was deleted with the group",
  /** Operations that were made at the same time. */
  order: "another order of operations that were made at the same time",
  /** The node deleted its own rows. */
  "self-purge": "the deletion of this node's own rows after its removal",
  /** Since core-1.0, devices act for some applications, in a way that no source describes completely. */
  "device scope": "an operation on the applications that a device acts for",
  /** The node itself, without others. */
  "node-local": "the node itself",
} as const;
/** The writers of rows other than operations. */
export type WriterName = keyof typeof WRITERS;
