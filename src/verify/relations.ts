/** The relations that should hold between the rows of a node's database. Rules cite these relations by number. */

/** Something that should hold between rows, or in a row. */
export interface Relation {
  /** The number by which rules cite it. */
  readonly number: number;
  /** The relation, as sentences. */
  readonly says: string;
}

/** Relations about the same part of a database. */
export interface RelationGroup {
  /** The part of the database. */
  readonly title: string;
  /** The relations, in the order of their numbers. */
  readonly relations: readonly Relation[];
}

/** Numbers the sentences from a number on. */
function from(first: number, title: string, ...sentences: readonly string[]): RelationGroup {
  return { title, relations: sentences.map((says, at) => ({ number: first + at, says })) };
}

/** All relations, numbered from 1 on. */
export const relations: readonly RelationGroup[] = [
  from(
    1,
    "Each row by itself",
    "The files can be read. Each key has the size and the prefix of a kind of row, and each value decodes to its last byte.",
    "The column family `default`, which RocksDB always makes, has no rows.",
    "An id that a value repeats is the one in its key: of a delta, an operation, a group, a namespace, an entity.",
  ),
  from(
    4,
    "Blobs and code",
    "A blob without links is a chunk: at most 1 MiB, stored in a file. The SHA-256 of the file is its id, and its hash.",
    "A blob with links consists of chunks. Its id is the SHA-256 of the chunks' ids in their order, its hash that of the whole content, its size the sum of theirs. Each chunk has a row, and all but the last are 1 MiB long. Since core-1.0 the rows of new chunks lie under other ids.",
    "A blob with one chunk still has its own row, with a different id. An empty blob has no chunks and no file; its id is the SHA-256 of the empty byte string.",
    "Since core-0.11 a blob counts how often it was added: at least once.",
    "The blobs that an application or a context names for its code exist.",
  ),
  from(
    9,
    "Applications and contexts",
    "The application of a context exists, unless the node has not fetched it yet.",
    "The id of a signed bundle is the hash of its package name and its signer. That of an unsigned module is the hash of its code, size, source and metadata, unless it came from another node under a known id.",
    "`ContextMeta` and `ContextConfig` rows exist in pairs.",
    "The id of a context is an Ed25519 public key.",
    "A private key that is stored for an identity belongs to the public key in the row's key.",
    "The root hash of a context is the full hash of the root of its state. It is not compared while no state is there yet, or while a snapshot is being fetched.",
    "A node has an identity of its own in each context that has data, unless it left.",
  ),
  from(
    16,
    "Deltas",
    "The id of a delta is the hash of its parents and its actions. A checkpoint, which records a snapshot, has an arbitrary id, no actions, time 0, and zeros as its parent.",
    "The first delta of a context has zeros for its only parent. No delta is its own ancestor.",
    "The heads that `ContextMeta` names are applied deltas that no applied delta follows. After a snapshot a node of core-0.10 names the root hash instead.",
    "The parents of an applied delta exist. They may be missing where a delta waits for them, and where a snapshot replaced them.",
    "The parents of an applied delta are applied.",
    "Rows about a context belong to a context that exists. Deleting one leaves some kinds of rows behind.",
    "Since core-0.11 a delta has an author and a signature by it, or neither. Since core-1.0 an executor with a warrant or a trusted machine may have signed.",
    "Actions on data that has an owner carry a signature: by the owner in core-0.10, by the signer in core-0.11.",
    "The nonces of the actions by one key on one entity rise from delta to delta.",
    "The hybrid clock of a delta is later than that of its parents, as far as the clocks of the nodes allow.",
  ),
  from(
    26,
    "State",
    "The own hash of an entity is the SHA-256 of its data. An entity without data is deleted, or only groups other entities.",
    "The full hash of an entity is the SHA-256 of its own hash and of its children's hashes: in stored order in core-0.10, by id in core-0.11, in a trie since core-1.0.",
    "Each child that an entity lists exists, names the entity as its parent, and has the full hash that the list says. Since core-1.0 the list is a trie of rows: each is there, has the hash that the row above it holds, and has the form that nodes write.",
    "The root entity has the id of the context and no parent. Every entity that is not deleted can be reached from it.",
    "Since core-0.11 an entity lists its deleted children: they are marked as deleted, have no data, and are not listed as children.",
    "Since core-0.11 a sorted collection has an order in rows of its own. Where its mark is the collection's full hash, the order has each child once. The key in a place is the one that the id of its entry is computed from.",
  ),
  from(
    32,
    "Groups",
    "A context names its group if and only if the group lists the context.",
    "A group names its parent if and only if the parent lists the group. The groups form trees of at most 16 levels; the group at the top is the namespace.",
    "The group of every row that is about a group exists. Deleting a group leaves some kinds of rows behind.",
    "The administrator of a group is a member with that role, and since core-0.11 its owner is a member.",
    "In core-0.10 a private key that is stored for a group or a namespace belongs to the public key beside it.",
    "Since core-0.11 a node has one key, one device and one account. The public parts follow from the secrets that are stored.",
    "The id of a group's key is its hash.",
    "In core-0.10 the log of a group has numbers from 1 on without a gap, and its head row the last number and the ids of the last operations. All logged operations are signed and of version 3.",
    "Since core-0.11 the same holds, with version 10, since core-1.0 with this or a later one. An operation that came through the namespace has the signature of the operation that brought it.",
  ),
  from(
    41,
    "Namespaces, members and accounts",
    "The id of a namespace operation is the hash of its signed content, and the signature is its signer's. Since core-1.0 the ids of namespaces and groups follow from who made them and a salt, and the proofs inside operations are signed by whom they name.",
    "The heads of a namespace are stored operations that no other one follows. The parents of each operation are stored, and so is a first one. Deltas name operations that are stored.",
    "The sequence of a namespace's head counts the stored operations. core-0.10 may count one twice.",
    "A group remembers which nonces it has seen of each signer. Those of all logged operations are among them.",
    "Rows that give a member an identity or rights in a context belong to a member of the group, and to a context of it. Since core-1.0 each member is also found by its account.",
    "The contexts of a group exist if the node has joined them. In core-0.10 an upgrade counts no more contexts than there are.",
    "Since core-0.11 a device belongs to an account that the group knows, and somebody vouched for the account.",
    "Since core-0.11 a removed member is not a member. The rows about a removal exist together, and markers name the keys that must still change.",
    "Since core-0.11 an operation of a namespace is stored in a second form that all kinds of operations have. Both forms agree.",
    "An operation on a group that is encrypted decrypts under the key that it names, if the node has the key. The node has the keys of the operations that it applied or made.",
    "The invitation by which a member joined is signed by the inviter.",
  ),
  from(
    52,
    "The replay of deltas",
    "The data of each entity is the result of applying the deltas of its context in some causal order.",
    "A delta follows every delta that its author had applied: the state on which it was made has the root hash that the delta carries.",
    "The state that a node took over with a snapshot has the root hash in the checkpoint.",
  ),
];
