/** An operation on a namespace or a group, as people see it. */
import type { OperationRevision } from "../../payloads/index.js";
import type { Named } from "../names.js";
import type { AnyGroupOp } from "../sentences/group.js";
import type { AnyRootOp } from "../sentences/root.js";
import type { Sentence } from "../sentences/sentence.js";

/** An operation of a namespace's log, or of a group's own log. Ids are 64 hex digits. */
export interface Operation {
  /** The operation's id: SHA-256 of its signed bytes. */
  readonly id: string;
  /**
   * The log of the operation. A namespace's log is the same on all nodes; a group's own log has the operations that
   * this node applied.
   */
  readonly log: "namespace" | "group";
  /** The namespace of the log; of a group's own log, the group. */
  readonly namespace: Named;
  /** The group that it changes; the namespace if it changes the namespace as a whole. */
  readonly group: Named;
  /** The author of the operation: an account, before core-0.11 a public key. */
  readonly actor: Named;
  /** The Ed25519 public key that signed it. */
  readonly signer: string;
  /** Its number in the log: in a namespace's log concurrent operations may have the same. */
  readonly sequence: bigint;
  /** Ids of the operations that it follows. */
  readonly parents: readonly string[];
  /** The effect of the operation, in words. */
  readonly sentence: Sentence;
  /**
   * `readable` if its content can be read; `encrypted` if the database lacks its key; `undecryptable` if the database
   * has the key, but the content does not decrypt or decode; `skeleton` if the database has only the skeleton.
   */
  readonly state: "readable" | "encrypted" | "undecryptable" | "skeleton";
  /** Name of its effect, such as `MemberAdded`; undefined if the operation cannot be read. */
  readonly kind: string | undefined;
  /** The content of the operation, with all fields; undefined unless it can be read. */
  readonly op: AnyRootOp | AnyGroupOp | undefined;
  /** The revision of its fields: members are accounts since core-0.11, and public keys before. */
  readonly revision: OperationRevision;
  /** Whether `op` is an operation on a group; otherwise it is one on the namespace. */
  readonly isOnGroup: boolean;
  /** Id of the key that it is encrypted under; undefined for an operation in clear. */
  readonly keyId: string | undefined;
  /** The bounds of the time when it was made; undefined if they are not known. */
  readonly time: TimeBounds | undefined;
}

/** A time that is known between bounds. Milliseconds since 1970. */
export interface TimeBounds {
  /** The earliest time; undefined if unknown. */
  readonly after: number | undefined;
  /** The latest time; undefined if unknown. */
  readonly before: number | undefined;
}
