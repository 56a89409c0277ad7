/** What sets rows beside operations: the node does it by itself, on request of its user, or on another node's answer. */

/** Each with what it is, as the end of "is explained by". */
export const WRITERS = {
  founding: "the founding of the group on this node",
  "local name": "a name that was given on this node alone",
  "pre-registration": "an answer of this node to a request to join",
  "local key": "a key that came without an operation",
  "own account": "the account of this node",
  upgrade: "an upgrade on this node",
  "join answer": "the answer that this node got when it joined",
  "deleted log": "operations whose log was deleted with the group",
  order: "another order of operations that were made at the same time",
  "self-purge": "the deletion of this node's own rows after its removal",
  "node-local": "the node itself",
} as const;
export type Writer = keyof typeof WRITERS;
