/** The certainty of replayed states. */
import type { ReplayWitness } from "./witnesses.js";

/**
 * The verdict on a replayed state. `proven`: its hash equals the hash of the delta's author or of a watcher's record.
 * `proven-with-unnamed`: it does so if the author had applied deltas that the delta does not name, had not applied some
 * that it names, or had taken over entities from another node without their deltas. `agrees`: no hash of this state is
 * known, but the replay gives the root hashes of {@link Certainty.witnesses} before or after it. `unknown`: see {@link
 * UnknownBecause}. `differs`: no tried state gives the hash of the author or of the record, for example because nodes
 * were repairing their state, or the application merged it by a rule of its own.
 */
export type ReplayVerdict = "proven" | "proven-with-unnamed" | "agrees" | "unknown" | "differs";

/**
 * The reason why it is unknown whether a state is right. `no hash`: the delta carries no hash. `no beginning`: the
 * history before the first delta is not there, and no checkpoint stands for it. `older data`: data from before the
 * first delta is not known, or its author may have lacked some of it. `unread`: the changes of one of its deltas cannot
 * be read. `merge`: concurrent deltas wrote an entry that only the application merges.
 */
export type UnknownBecause = "no hash" | "no beginning" | "older data" | "unread" | "merge";

/** The certainty of a replayed state. */
export interface Certainty {
  /** The verdict. */
  readonly verdict: ReplayVerdict;
  /** The reason why it is unknown; undefined otherwise. */
  readonly unknown: UnknownBecause | undefined;
  /** The root hashes that the replay gives or, if it differs, does not give; the nearest first. */
  readonly witnesses: readonly ReplayWitness[];
}

/** A delta in the order of a replay, with the certainty of the state after it. */
export interface ReplayPosition extends Certainty {
  /** The place of the delta, from 1; 0 for a checkpoint. */
  readonly position: number;
  /** The number of deltas. */
  readonly of: number;
  /** The delta's id, 64 hex digits. */
  readonly delta: string;
  /** The time when it was made, in milliseconds since 1970 by the author's clock; undefined if the row has no time. */
  readonly time: number | undefined;
  /** The author's Ed25519 public key, 64 hex digits; undefined if the row has none. */
  readonly author: string | undefined;
  /** Deltas that the author had applied and did not name, 64 hex digits each. */
  readonly unnamed: readonly string[];
  /** Deltas that the author named, or that these follow, and had not applied, 64 hex digits each. */
  readonly leftOut: readonly string[];
  /** Entities that the author's node had taken over from another node, without their deltas, 64 hex digits each. */
  readonly takenOver: readonly string[];
}

/** A delta that wrote an entity. */
export interface DeltaOfState {
  /** The delta's id, 64 hex digits. */
  readonly id: string;
  /** The author's Ed25519 public key, 64 hex digits; undefined if the row has none. */
  readonly author: string | undefined;
  /** The time when it was made, in milliseconds since 1970 by the author's clock; undefined if the row has no time. */
  readonly time: number | undefined;
}

/** The certainty of a state that nothing proves or refutes. */
export function unknownState(unknown: UnknownBecause): Certainty {
  return { verdict: "unknown", unknown, witnesses: [] };
}

/** The certainty of a state from comparing its root hash with a witness. */
export function compared(agrees: boolean, witness: ReplayWitness): Certainty {
  return { verdict: agrees ? "proven" : "differs", unknown: undefined, witnesses: [witness] };
}

/** The certainty of a state from root hashes before and after it. */
export function between(witnesses: readonly ReplayWitness[], otherwise: UnknownBecause): Certainty {
  return witnesses.length === 0
    ? unknownState(otherwise)
    : { verdict: "agrees", unknown: undefined, witnesses };
}
