/** A part of a relation that no rule checks. */
export interface NotChecked {
  /** The number of its relation: see `relations`. */
  readonly relation: number;
  /** The relation. */
  readonly what: string;
  /** The reason why no rule checks it. */
  readonly why: string;
}

/** All parts of relations that no rule checks. */
export const notChecked: readonly NotChecked[] = [
  {
    relation: 17,
    what: "deltas form no circle of several",
    why: "one of them would have a wrong id, of which delta-id speaks",
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
];
