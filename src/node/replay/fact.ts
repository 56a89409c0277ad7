/** The facts that a replay yields: about rows, logs, hashes and keys. Ids are 64 hex digits. */
import type { AnyKey } from "../../keys/index.js";
import type { KindName } from "../tables/rows.js";
import type { WriterName } from "./writers.js";

/** An operation, as facts name it. */
export interface OperationName {
  /** The namespace whose log has the operation. */
  readonly namespace: string;
  /** Its id; undefined if only the group's own log has the operation. */
  readonly id: string | undefined;
  /** The group that it changes; undefined for an operation on the namespace. */
  readonly group: string | undefined;
  /** The number of its row in the group's own log; undefined if it has no row there. */
  readonly logged: bigint | undefined;
  /** The kind of its effect, such as `MemberAdded`; undefined if the operation cannot be read. */
  readonly kind: string | undefined;
}

/** A namespace was replayed. */
export interface ReplayedFact {
  /** Always the same. */
  readonly fact: "replayed";
  /** The namespace's id. */
  readonly namespace: string;
  /** The number of operations in its log. */
  readonly operations: number;
  /** The number of rows in its groups' own logs. */
  readonly logged: number;
}

/** The verdict about a row of a group. */
export interface RowFact {
  /** Always the same. */
  readonly fact: "row";
  /** The kind of the row. */
  readonly kind: KindName;
  /** Its key. */
  readonly key: AnyKey;
  /** The group that the row belongs to. */
  readonly group: string;
  /**
   * `proven`: the row is as `operation` set it. `explained`: `writer` accounts for it. `unconfirmed`: `writer` may
   * account for it, and leaves no trace. `without operation`: nothing makes the row; `operation` removed it, if one
   * did. `missing`: `operation` made the row, and it is not there. `differs`: `fields` are not as `operation` set them.
   */
  readonly status: "proven" | "explained" | "unconfirmed" | "without operation" | "missing" | "differs";
  /** The operation that set or removed it last. */
  readonly operation: OperationName | undefined;
  /** The other writer that accounts for it. */
  readonly writer: WriterName | undefined;
  /** Names of the fields that differ. */
  readonly fields: readonly string[];
  /** The number of operations on the group that cannot be read. Any of them may explain the row. */
  readonly unreadable: number;
}

/** A group that no operation names. */
export interface UnnamedGroupFact {
  /** Always the same. */
  readonly fact: "unnamed group";
  /** The group's id. */
  readonly group: string;
  /** The kind of the first of its rows. */
  readonly kind: KindName;
  /** The key of that row. */
  readonly key: AnyKey;
  /** The number of its rows. */
  readonly rows: number;
}

/**
 * A fact about an operation. `logged otherwise`: the row of the group's own log holds another operation than the signed
 * one. `never sent`: only the group's own log has it. `late`: it was applied later than its parents require.
 */
export interface OperationFact {
  /** The kind of the deviation. */
  readonly fact: "logged otherwise" | "never sent" | "late";
  /** The operation. */
  readonly operation: OperationName;
}

/** An operation that this node made or could read is not in the group's own log. */
export interface NotLoggedFact {
  /** Always the same. */
  readonly fact: "not logged";
  /** The operation. */
  readonly operation: OperationName;
  /** True if this node made it. */
  readonly isOwn: boolean;
}

/** The hash of a group's state that an operation asserts. */
export interface HashFact {
  /** Always the same. */
  readonly fact: "hash";
  /** The operation. */
  readonly operation: OperationName;
  /** True if the replay gives this hash. */
  readonly isEqual: boolean;
}

/** A group key that this node had. `key`: the row, against the key that was sent. `key gone`: there is no row. */
export interface KeyFact {
  /** The kind of the fact. */
  readonly fact: "key" | "key gone";
  /** The operation that brought the key, or was encrypted under it. */
  readonly operation: OperationName;
  /** The group's id. */
  readonly group: string;
  /** The key's id. */
  readonly keyId: string;
  /** True if the row has the key. */
  readonly isEqual: boolean;
}

/** Operations on a group that cannot be read. Their changes are unknown. */
export interface UnreadableFact {
  /** Always the same. */
  readonly fact: "unreadable";
  /** The namespace's id. */
  readonly namespace: string;
  /** The group's id. */
  readonly group: string;
  /** The number of operations. */
  readonly count: number;
}

/** A fact that a replay yields. */
export type ReplayFact =
  | ReplayedFact
  | RowFact
  | UnnamedGroupFact
  | OperationFact
  | NotLoggedFact
  | HashFact
  | KeyFact
  | UnreadableFact;
