/** Counts the encrypted, plain and foreign rows of a database. */
import { UndecryptedBytes } from "../bytes/undecrypted.js";
import { abortable, sizeOf } from "../engine/abortable.js";
import type { Engine } from "../engine/engine.js";
import { isMerostoreError } from "../errors.js";
import { checkArgument, checkOptions, isEngine } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import { EncryptedEngine } from "./encrypted-engine.js";
import { type EncryptionRule, encryptionRules } from "./rule.js";
import { addVote, type EncryptionState, noVotes, stateOf } from "./votes.js";

/** The number of values of each form in a database. */
export interface EncryptionCount {
  /** The state of the database: with the key, from every row; without it, from the lengths of values. */
  readonly state: EncryptionState;
  /** True if the key was tried on every row; false if only lengths were compared. */
  readonly withKey: boolean;
  /** The number of rows that the key decrypts; without the key, rows of a fixed length that look encrypted. */
  readonly encrypted: number;
  /** The number of plain rows; without the key, rows of a fixed length that look plain. */
  readonly plain: number;
  /**
   * The number of rows that are not plain and that the key does not decrypt: they have another key, or are damaged. 0
   * without the key.
   */
  readonly foreign: number;
  /**
   * The key versions of the encrypted rows, ascending. Nodes write version 1. Without the key, only if rows look
   * encrypted.
   */
  readonly versions: readonly number[];
  /**
   * The rules of the encrypted rows. A node follows one rule, and does not read rows of the other. Empty without the
   * key.
   */
  readonly rules: readonly EncryptionRule[];
}

/**
 * Counts encrypted and plain rows. It reads every row. A damaged column family is counted up to the damage.
 *
 * @param engine `store.raw`: with the key if the database was opened with it
 */
export async function countEncryption(
  engine: Engine,
  options: ProgressOptions = {},
): Promise<EncryptionCount> {
  checkArgument("countEncryption", engine, isEngine);
  checkOptions("countEncryption", options, progressOptions);
  const follower = new Follower(options, "rows", await sizeOf(engine));
  const count =
    engine instanceof EncryptedEngine && engine.hasKey
      ? await countWithKey(engine, follower)
      : await countVotes(abortable(engine, options.signal), follower);
  follower.end();
  return count;
}

async function countWithKey(engine: EncryptedEngine, follower: Follower): Promise<EncryptionCount> {
  const versions = new Set<number>();
  const rules = new Set<EncryptionRule>();
  let [encrypted, plain, foreign] = [0, 0, 0];
  for (const column of engine.columns) {
    try {
      for await (const rows of engine.openedRows(column)) {
        for (const { row, encryption } of rows) {
          if (encryption !== undefined) {
            encrypted++;
            versions.add(encryption.version);
            rules.add(encryption.rule);
          } else if (row.value instanceof UndecryptedBytes) foreign++;
          else plain++;
        }
        follower.add(
          rows.length,
          rows.reduce((sum, { row }) => sum + row.key.length + row.value.length, 0),
        );
      }
    } catch (error) {
      if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
    }
  }
  return {
    state: stateOfCounts(encrypted + foreign, plain),
    withKey: true,
    encrypted,
    plain,
    foreign,
    versions: [...versions].sort((a, b) => a - b),
    rules: encryptionRules.filter((rule) => rules.has(rule)),
  };
}

function stateOfCounts(encrypted: number, plain: number): EncryptionState {
  if (encrypted > 0) return plain > 0 ? "mixed" : "encrypted";
  return plain > 0 ? "plain" : "empty";
}

async function countVotes(engine: Engine, follower: Follower): Promise<EncryptionCount> {
  const votes = noVotes();
  for (const column of engine.columns) {
    try {
      for await (const rows of engine.scan(column).chunks()) {
        for (const row of rows) addVote(votes, column, row);
        follower.add(
          rows.length,
          rows.reduce((sum, { key, value }) => sum + key.length + value.length, 0),
        );
      }
    } catch (error) {
      if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
    }
  }
  const { encrypted, plain } = votes;
  const state = stateOf(votes);
  // In a plain or mixed database, these would include first bytes of plain values.
  const versions = state === "encrypted" || state === "probably encrypted" ? [...votes.versions] : [];
  return {
    state,
    withKey: false,
    encrypted,
    plain,
    foreign: 0,
    versions: versions.sort((a, b) => a - b),
    rules: [],
  };
}
