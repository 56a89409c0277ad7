/**
 * Recognises encryption without the key. A database has no mark of its encryption, but the lengths of values show it
 * for rows with a fixed plain length.
 */
import { copyBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import type { ByteRange, EngineReader, RawRow } from "../engine/engine.js";
import { isMerostoreError } from "../errors.js";
import { checkArgument, isEngine } from "../options.js";
import { ENCRYPTION_OVERHEAD, HEADER_SIZE } from "./rule.js";

/** The facts about rows that are known without the key. */
export interface EncryptionVotes {
  /** The number of rows whose value has its plain fixed length. */
  plain: number;
  /** The number of rows whose value has its encrypted fixed length. */
  encrypted: number;
  /** The number of examined rows. */
  rows: number;
  /** The number of rows with 29 bytes or more and a first byte other than 0. */
  possible: number;
  /** The first bytes of these rows: the versions of keys, if they are encrypted. */
  readonly versions: Set<number>;
  /** The first of these rows. */
  first: RawRow | undefined;
  /**
   * The number of these rows that share some bytes of the nonce with the first one, which random nonces almost never
   * do.
   */
  alike: number;
}

/** The state of a database, as far as it is known without the key. */
export type EncryptionState = "plain" | "encrypted" | "probably encrypted" | "mixed" | "empty";

/** The plain lengths of rows with a fixed length: in Config, in Alias, and in Group by the first byte of the key. */
const CONFIG = [16];
const ALIAS = [32];
const GROUP: ReadonlyMap<number, readonly number[]> = new Map([
  [0x22, [0]],
  [0x23, [32]],
  [0x26, [4]],
  [0x29, [4]],
  [0x2a, [1]],
  [0x32, [32]],
  [0x33, [1]],
  [0x34, [32]],
  [0x35, [0]],
  [0x36, [96, 1]],
  [0x3a, [40, 48, 56]],
]);

/** Returns the plain lengths that a row may have; undefined if they are not fixed. */
function plainLengths(column: string, key: Uint8Array): readonly number[] | undefined {
  if (column === "Config") return CONFIG;
  if (column === "Alias") return ALIAS;
  return column === "Group" ? GROUP.get(key[0] ?? 0) : undefined;
}

/** No votes. */
export function noVotes(): EncryptionVotes {
  return { plain: 0, encrypted: 0, rows: 0, possible: 0, versions: new Set(), first: undefined, alike: 0 };
}

/** Counts the vote of a row. */
export function addVote(votes: EncryptionVotes, column: string, { key, value }: RawRow): void {
  votes.rows++;
  const { length } = value;
  const version = value[0] ?? 0;
  if (length >= ENCRYPTION_OVERHEAD && version > 0) {
    votes.possible++;
    votes.versions.add(version);
    if (votes.first === undefined)
      votes.first = { key: copyBytes(key), value: copyBytes(value.subarray(0, HEADER_SIZE)) };
    else if (areAlike(votes.first, { key, value })) votes.alike++;
  }
  const lengths = plainLengths(column, key);
  if (length === 0 || lengths?.includes(length)) votes.plain++;
  else if (version > 0 && lengths?.includes(length - ENCRYPTION_OVERHEAD)) votes.encrypted++;
}

/** Nonces with this many equal bytes are not random: only one of 77,000 random pairs has so many. */
const ALIKE = 3;

/** Returns whether the values of two different rows have equal bytes at the place of a nonce. */
function areAlike(a: RawRow, b: RawRow): boolean {
  let equal = 0;
  for (let at = 1; at < HEADER_SIZE; at++) if (a.value[at] === b.value[at]) equal++;
  return equal >= ALIKE && !equalBytes(a.key, b.key);
}

/** The result of the votes. */
export function stateOf(votes: EncryptionVotes): EncryptionState {
  const { plain, encrypted, rows, possible, versions, alike } = votes;
  if (rows === 0) return "empty";
  if (plain > 0 && encrypted > 0) return "mixed";
  if (encrypted > 0) return "encrypted";
  const isRandom = alike * 1000 < possible;
  return plain === 0 && possible === rows && versions.size <= 2 && isRandom ? "probably encrypted" : "plain";
}

/** A sample has so many rows from both ends of each column family and of each prefix of Group. */
const SAMPLE = 8;

/** A part of a column family for a sample. */
interface Sampled {
  readonly column: string;
  /** The range; all rows of the column family unless given. */
  readonly range?: ByteRange;
}

/** Returns the parts of the database whose rows have a vote. */
function voting(): readonly Sampled[] {
  const group = [...GROUP.keys()].map((prefix) => ({
    column: "Group",
    range: { gte: Uint8Array.of(prefix), lt: Uint8Array.of(prefix + 1) },
  }));
  return [{ column: "Config" }, { column: "Alias" }, ...group];
}

async function* sample(
  reader: EngineReader,
  places: readonly Sampled[],
): AsyncGenerator<{ readonly column: string; readonly rows: readonly RawRow[] }> {
  for (const { column, range } of places) {
    if (!reader.columns.includes(column)) continue;
    for (const reverse of [false, true]) {
      try {
        for await (const rows of reader.scan(column, range, { limit: SAMPLE, reverse }).chunks())
          yield { column, rows };
      } catch (error) {
        if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error; // reading the family reports the damage
      }
    }
  }
}

/** Reads a few rows from both ends of every column family, and of every prefix of Group that has votes. */
export function sampleRows(
  reader: EngineReader,
): AsyncGenerator<{ readonly column: string; readonly rows: readonly RawRow[] }> {
  return sample(reader, [...reader.columns.map((column) => ({ column })), ...voting()]);
}

/**
 * Counts the votes of a sample of rows. It reads rows without a vote only if no row has one: they are in the large
 * column families, which take several requests each on a web server.
 */
export async function sampleVotes(reader: EngineReader): Promise<EncryptionVotes> {
  const votes = noVotes();
  const count = async (places: readonly Sampled[]): Promise<void> => {
    for await (const { column, rows } of sample(reader, places))
      for (const row of rows) addVote(votes, column, row);
  };
  await count(voting());
  if (votes.plain === 0 && votes.encrypted === 0) await count(reader.columns.map((column) => ({ column })));
  return votes;
}

/** Returns the state that a sample of rows shows without a key. */
export async function recogniseEncryption(reader: EngineReader): Promise<EncryptionState> {
  checkArgument("recogniseEncryption", reader, isEngine);
  return stateOf(await sampleVotes(reader));
}

/**
 * From this number of rows on, "probably encrypted" is not a coincidence. A sample has the rows of a small column family
 * twice.
 */
const TELLING = 16;

/** Returns whether values are encrypted or probably encrypted. They are then not shown without the key. */
export function isRecognised(votes: EncryptionVotes): boolean {
  const state = stateOf(votes);
  return (
    state === "encrypted" || state === "mixed" || (state === "probably encrypted" && votes.rows >= TELLING)
  );
}
