import { since10 } from "../since.js";

/** A part of a relation that no rule checks. */
export interface NotChecked {
  /** The number of its relation: see `relations`. */
  readonly relation: number;
  /** The relation. */
  readonly what: string;
  /** The reason why no rule checks it. */
  readonly why: string;
  /** The first revision for which this is true; undefined if it is true for all. */
  readonly since?: string;
}

/** The first revision for which the following is true. */
const SINCE = since10[0].name;

const FORMULA = "no source says what is hashed or signed";

/** All parts of relations that no rule checks. */
export const notChecked: readonly NotChecked[] = [
  {
    relation: 17,
    what: "deltas form no circle of several",
    why: "one of them would have a wrong id, which delta-id reports",
  },
  {
    relation: 21,
    what: "Alias, Generic and UnifiedOp rows that name a context have it",
    why: "names may be given to contexts that this node is not in, and scopes are namespaces too",
  },
  {
    relation: 22,
    what: "signatures of deltas from 0.10.1-rc.43 to 0.11.0-rc.24",
    why: "their rows are laid out differently: they do not decode, and are named where the revision is found",
  },
  {
    relation: 47,
    what: "whether a device is live",
    why: "it follows from the rows, and either answer is right",
  },
  {
    relation: 51,
    what: "invitations were used before they expired",
    why: "no row says when an operation was made",
  },
  {
    relation: 5,
    what: "chunks of blobs that do not lie under their hash",
    why: "no source says how the id of such a chunk is computed; a blob counts as whole if none of its chunks lies under its hash",
    since: SINCE,
  },
  {
    relation: 21,
    what: "Generic rows about deltas whose delta is gone",
    why: "a row names its delta by a digest, which cannot be turned back",
    since: SINCE,
  },
  {
    relation: 22,
    what: "signatures of deltas with a warrant of the first layout",
    why: FORMULA,
    since: SINCE,
  },
  {
    relation: 22,
    what: "signatures of triggers that were followed, and of beacons of the state",
    why: "no row holds them",
    since: SINCE,
  },
  {
    relation: 47,
    what: "signatures of the names of devices",
    why: FORMULA,
    since: SINCE,
  },
  {
    relation: 49,
    what: "the second form of sealed operations on a namespace",
    why: "no source says whether there is one",
    since: SINCE,
  },
  {
    relation: 50,
    what: "envelopes of group keys for the key of a member, not for a device",
    why: "no source says how the keys that seal them are derived",
    since: SINCE,
  },
];

/** The parts of relations that no rule checks since `revision` or an earlier one in `names`. */
export function notCheckedIn(revision: string, names: readonly string[]): readonly NotChecked[] {
  const at = names.indexOf(revision);
  return notChecked.filter(({ since }) => since !== undefined && names.indexOf(since) <= at);
}
