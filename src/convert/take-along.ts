/**
 * The parts of an older database that can be given to a node of core-1.0. Such a node converts nothing, and reads no
 * older state: it starts from an empty database, and gets contexts from other nodes. Nothing is written.
 */
import { MerostoreError } from "../errors.js";
import { checkOptions } from "../options.js";
import { type ProgressOptions, progressOptions } from "../progress.js";
import { countRows, type Store } from "../store/index.js";

/** A part of a database, and the way into the new one. */
export interface TakenAlong {
  /** The part in a few words: `members and their rights`. */
  readonly part: string;
  /** Number of rows. */
  readonly rows: number;
  /** Number of rows of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** True if its content can be given to the new node; false if it stays in the old database. */
  readonly taken: boolean;
  /** The way, or the reason why no way exists, in sentences. */
  readonly means: string;
  /** Commands that show or save the content. DB stands for the database; other words in capitals are to be replaced too. */
  readonly commands: readonly string[];
}

/** The answer for a database. */
export interface TakeAlong {
  /** All rows. */
  readonly rows: number;
  /** The parts that have rows. Together they have all rows. */
  readonly parts: readonly TakenAlong[];
}

type TakenPart = Omit<TakenAlong, "rows" | "kinds"> & {
  /** Names of kinds, separated by spaces. */
  readonly of: string;
};

const parts: readonly TakenPart[] = [
  {
    part: "names",
    of: "Alias GroupAlias GroupContextAlias GroupMemberAlias GroupMetadata GroupContextMetadata GroupMemberMetadata",
    taken: true,
    means:
      "Give them again with the new node, when the things that they name exist there under their new ids.",
    commands: [
      "merostore groups DB --json",
      "merostore contexts DB --json",
      "merostore scan DB Alias --json",
    ],
  },
  {
    part: "groups, members and their rights",
    of: "GroupMeta GroupMember GroupContextIndex ContextGroupRef GroupMemberCapability GroupDefaultCaps GroupDefaultVis GroupSubgroupVis GroupMemberContext GroupContextMemberCap GroupParentRef GroupChildIndex NamespaceParticipation GroupDeniedMember GroupInheritedDeniedMember GroupReentryBlock GroupConsumedInvitation GroupDeviceBinding GroupRevokedDevice GroupAccountEndorser",
    taken: true,
    means:
      "Their rows are not taken over. Create the namespaces and groups with the new node, and invite the members: each needs the new node too.",
    commands: ["merostore groups DB --json", "merostore members DB GROUP --json"],
  },
  {
    part: "contexts",
    of: "ContextMeta ContextConfig ContextServiceName ContextLeftMarker",
    taken: true,
    means:
      "Create them with the new node. A context that a node of core-1.0 has already is fetched from it, after joining its group.",
    commands: ["merostore contexts DB --json"],
  },
  {
    part: "application data",
    of: "ContextState SortedIndex SortedIndexMeta",
    taken: true,
    means:
      "Export each state as JSON, and let methods of the application write it into the new context. The application must be built for core-1.0. The node makes sorted indexes itself.",
    commands: ["merostore state DB CONTEXT --json"],
  },
  {
    part: "applications",
    of: "ApplicationMeta ApplicationPreviousBlob",
    taken: true,
    means: "Install them with the new node, in versions that are built for core-1.0.",
    commands: ["merostore scan DB ApplicationMeta --json"],
  },
  {
    part: "blobs",
    of: "BlobMeta",
    taken: true,
    means: "Save the content of each, and add it with the new node: the same content gets the same id.",
    commands: ["merostore blobs list DB", "merostore blobs get DB BLOB -o FILE"],
  },
  {
    part: "keys and private state",
    of: "ContextIdentity ContextPrivateState GroupSigningKey GroupKeyEntry NamespaceIdentity NodeDeviceIdentity NodeAccountRoot NodeIdentity GroupAccountKey",
    taken: false,
    means:
      "The new node makes keys of its own. Keep the old ones with a backup: they alone open encrypted operations of the old database.",
    commands: ["merostore backup DB FOLDER", "merostore export DB --reveal-secrets -o FILE"],
  },
  {
    part: "history",
    of: "ContextDagDelta GroupOpLog GroupOpHead NamespaceGovOp NamespaceGovHead ScopeUnifiedOp",
    taken: false,
    means:
      "Ids and signatures cover the old layout, so no node would accept it. It stays in the old database, which merostore reads.",
    commands: ["merostore log DB NAME", "merostore export DB -o FILE"],
  },
];

const rest: Omit<TakenPart, "of"> = {
  part: "everything else",
  taken: false,
  means:
    "Marks, counters and sessions of the old node, of which the new one makes its own, and rows of no known kind.",
  commands: [],
};

/**
 * Counts the rows of a database by the way to give their content to a node of core-1.0. Reads every row once.
 *
 * @param store a database of an older node
 * @throws MerostoreError `DATABASE_DAMAGED`, and errors of reading
 */
export async function takeAlong(store: Store, options: ProgressOptions = {}): Promise<TakeAlong> {
  checkOptions("takeAlong", options, progressOptions);
  const counts = new Map<string, Record<string, number>>();
  let rows = 0;
  for await (const { kinds, error } of countRows(store, options)) {
    if (error !== undefined) throw new MerostoreError("DATABASE_DAMAGED", error);
    for (const [kind, { rows: count }] of kinds) {
      const { part } = partOf(kind);
      const of = counts.get(part) ?? {};
      counts.set(part, of);
      of[kind] = (of[kind] ?? 0) + count;
      rows += count;
    }
  }
  const shown = [...parts, rest].flatMap(({ part, taken, means, commands }) => {
    const kinds = counts.get(part);
    if (kinds === undefined) return [];
    const count = Object.values(kinds).reduce((sum, one) => sum + one, 0);
    return [{ part, rows: count, kinds, taken, means, commands }];
  });
  return { rows, parts: shown };
}

function partOf(kind: string): Omit<TakenPart, "of"> {
  return parts.find(({ of }) => of.split(" ").includes(kind)) ?? rest;
}
