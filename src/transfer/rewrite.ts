/** Encrypts and decrypts whole databases, into new ones. */
import { slices } from "../collections/lists.js";
import {
  addVote,
  checkKeyForWriting,
  EncryptedEngine,
  type EncryptionRule,
  encryptionOptions,
  type MasterKey,
  masterKeyBytes,
  mayBePlain,
  noVotes,
  openCipher,
  openEncrypted,
  openTaking,
  provesPlain,
  recogniseEncryption,
  ruleOfRevision,
  type ValueCipher,
} from "../encryption/index.js";
import { absoluteLocation, type Engine, openEngine, type PathOrUrl, type RawRow } from "../engines/index.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import { checkArgument, checkOptions, isFlag, isRecord, type OptionChecks } from "../options.js";
import { Pause } from "../pause.js";
import { detectRevision } from "../schemas/index.js";
import { type Copied, type CopyOptions, copyOptions, copyThrough } from "./copy.js";

/** Options of {@link rewriteDatabase}: at least one key. */
export interface RewriteOptions extends CopyOptions {
  /** The master key of the database, if it is encrypted. Plain rows are read unchanged. */
  readonly masterKey?: MasterKey | undefined;
  /**
   * Accept rows as plain that the key does not decrypt and whose values may be any bytes. This is for databases that
   * nodes began before they had a key. By default such rows are refused, because they may be damaged or encrypted with
   * another key. Needs `masterKey`.
   */
  readonly acceptPlain?: boolean | undefined;
  /** The master key of the new database; without it, the new database is not encrypted. */
  readonly newMasterKey?: MasterKey | undefined;
  /** The rule of the new database. By default the rule of the rows' revision. Needs `newMasterKey`. */
  readonly encryptionRule?: EncryptionRule | undefined;
}

const { masterKey, encryptionRule } = encryptionOptions;
const rewriteOptions: OptionChecks<RewriteOptions> = {
  ...copyOptions,
  acceptPlain: isFlag,
  masterKey,
  newMasterKey: masterKey,
  encryptionRule,
};

/** The result of a rewrite. */
export interface Rewritten extends Copied {
  /** The encryption rule of the new database; undefined if it is not encrypted. */
  readonly encryptionRule: EncryptionRule | undefined;
}

/**
 * Copies a database into a new one that is encrypted with another key or rule, or not encrypted. It reads both and
 * compares their plain rows one by one before the new one gets its name. Nothing is written into the source.
 *
 * @param source a folder or a URL
 * @param target a folder that is missing or empty, or the URL of a node that the server does not have
 * @throws MerostoreError `UNDECRYPTED_ROWS` for rows that the key does not decrypt and that are not provably plain;
 *   `DATABASE_NOT_ENCRYPTED` for a database without encrypted rows, if `masterKey` is given; `DATABASE_ENCRYPTED` for
 *   an encrypted database, or one with encrypted rows, without its key; `WRONG_KEY`, and the errors of `copyDatabase`
 * @example
 * const newMasterKey = new Uint8Array(48).fill(0x42);
 * await rewriteDatabase("node/data", "new/data", { newMasterKey });
 */
export async function rewriteDatabase(
  source: PathOrUrl,
  target: PathOrUrl,
  options: RewriteOptions,
): Promise<Rewritten> {
  checkArgument("rewriteDatabase", options, isRecord);
  checkOptions("rewriteDatabase", options, rewriteOptions);
  const from = absoluteLocation(source, "the source of a rewrite");
  const to = absoluteLocation(target, "the target of a rewrite");
  const { masterKey, newMasterKey, encryptionRule: named, acceptPlain } = options;
  if (masterKey === undefined && newMasterKey === undefined)
    throw invalidArgument("rewriteDatabase needs the key of the database, or one for the new database");
  if (named !== undefined && newMasterKey === undefined)
    throw invalidArgument("encryptionRule has an effect only with newMasterKey");
  if (acceptPlain && masterKey === undefined)
    throw invalidArgument("acceptPlain has an effect only with masterKey");
  const advice = acceptPlain
    ? ""
    : ": if nodes wrote them before they had a key, accept them as plain (acceptPlain, --accept-plain)";
  const newKey = newMasterKey === undefined ? undefined : await masterKeyBytes(newMasterKey);
  try {
    await using engine = await openPlain(from, options);
    const rule = newKey === undefined ? undefined : (named ?? (await ruleOf(engine)));
    if (newKey !== undefined && rule !== undefined) checkKeyForWriting(newKey, rule);
    if (newKey === undefined)
      return { ...(await copyThrough(engine, to, options, { advice })), encryptionRule: rule };
    const cipher = masterKey === undefined ? await openCipher(newKey) : undefined;
    let wrapped: EncryptedEngine | undefined;
    try {
      const copied = await copyThrough(engine, to, options, {
        advice,
        check: async (column, rows) => cipher && refuseEncryptedRows(cipher, column, rows),
        wrap: async (made) => {
          wrapped = await openEncrypted(made, { masterKey: newKey, encryptionRule: rule });
          return wrapped;
        },
      });
      return { ...copied, encryptionRule: rule };
    } finally {
      cipher?.wipe();
      wrapped?.wipe();
    }
  } finally {
    newKey?.fill(0);
  }
}

/** The number of rows to try before a possible pause. */
const AT_ONCE = 64;

/**
 * Throws if rows of a database that is opened without a key are already encrypted: the new key decrypts them, or their
 * lengths show it.
 */
async function refuseEncryptedRows(
  cipher: ValueCipher,
  column: string,
  rows: readonly RawRow[],
): Promise<void> {
  const votes = noVotes();
  for (const row of rows) addVote(votes, column, row);
  let isDecrypted = false;
  const pause = new Pause();
  for (const some of slices(rows, AT_ONCE)) {
    const found = await cipher.decrypt(some.map(({ value }) => value));
    isDecrypted ||= found.some((value) => value !== undefined);
    await pause.ifLong();
  }
  if (votes.encrypted === 0 && !isDecrypted) return;
  throw new MerostoreError(
    "DATABASE_ENCRYPTED",
    `rows of ${column} are encrypted already and would be encrypted twice: \`merostore db rekey\` takes the master key of the database and another one. The new database was removed`,
  );
}

/** Opens a database with an engine that returns plain values. */
async function openPlain(path: string, { engine, masterKey, acceptPlain }: RewriteOptions): Promise<Engine> {
  // First, so that an invalid key fails before anything is opened.
  const key = masterKey === undefined ? undefined : await masterKeyBytes(masterKey);
  try {
    const opened = await openEngine(path, { engine });
    try {
      if (key === undefined) {
        const state = await recogniseEncryption(opened);
        if (state === "plain" || state === "empty") return opened;
        throw new MerostoreError(
          "DATABASE_ENCRYPTED",
          `${state === "mixed" ? "some values" : "all values"} look encrypted at rest already: \`merostore db rekey\` takes their master key and another one`,
        );
      }
      const taken = acceptPlain ? mayBePlain : provesPlain;
      const encrypted = await openTaking(taken, opened, { masterKey: key }, opened.revision);
      if (encrypted.warnings.length > 0 && (await hasNoneDecrypted(encrypted)))
        throw new MerostoreError(
          "DATABASE_NOT_ENCRYPTED",
          "the database is not encrypted at rest: the master key decrypts none of its rows, and none looks encrypted. Nothing was written",
        );
      return encrypted;
    } catch (error) {
      await opened.close();
      throw error;
    }
  } finally {
    key?.fill(0);
  }
}

/** Returns whether a database has rows but the key decrypts none of them. */
async function hasNoneDecrypted(engine: EncryptedEngine): Promise<boolean> {
  let rows = 0;
  for (const column of engine.columns) {
    for await (const chunk of engine.openedRows(column)) {
      if (chunk.some(({ encryption }) => encryption !== undefined)) return false;
      rows += chunk.length;
    }
  }
  return rows > 0;
}

/** Returns the rule of the nodes that wrote the rows of a database. */
async function ruleOf(engine: Engine): Promise<EncryptionRule> {
  const { revision } = await detectRevision(engine);
  if (revision !== undefined) return ruleOfRevision(revision.name);
  const [only, other] = engine instanceof EncryptedEngine ? engine.rules : [];
  if (only !== undefined && other === undefined) return only;
  throw new MerostoreError(
    "REVISION_UNKNOWN",
    "the rows do not show which nodes are to decrypt them: name the rule, core-0.10 or core-0.11",
  );
}
