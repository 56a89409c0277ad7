/** Opening an engine whose values are encrypted: the key is tried on a sample of rows. */
import type { Engine } from "../engine/engine.js";
import { MerostoreError, type Warning } from "../errors.js";
import { checkArgument, checkOptions, isEngine, isOneOf, type OptionChecks } from "../options.js";
import { EncryptedEngine } from "./encrypted-engine.js";
import { isMasterKey, type MasterKey, masterKeyBytes } from "./master-key.js";
import { isPlain, type PlainTest, provesPlain } from "./plain-row.js";
import { type EncryptionRule, encryptionRules, ruleOfRevision } from "./rule.js";
import { ValueCipher } from "./value-cipher.js";
import { addVote, isRecognised, noVotes, sampleRows, sampleVotes, stateOf } from "./votes.js";

/** Options of {@link openEncrypted}. */
export interface EncryptionOptions {
  /** The master key of the node that wrote the database, or a function that returns it. */
  readonly masterKey?: MasterKey | undefined;
  /** The rule to write with. By default, that of the rows that exist, or of the revision of the database. */
  readonly encryptionRule?: EncryptionRule | undefined;
}

/**
 * The checks of {@link EncryptionOptions}.
 * @internal
 */
export const encryptionOptions: OptionChecks<EncryptionOptions> = {
  masterKey: isMasterKey,
  encryptionRule: isOneOf(encryptionRules),
};

/**
 * Returns an engine that decrypts what another one reads and encrypts what it writes. Rows that are not encrypted are read
 * as they are; so is every row that the key does not decrypt, if no row of a sample is encrypted, until one is decrypted.
 * Closing it closes the other one. If the key is refused, the other one stays open.
 *
 * @param revision the name of the revision of a new database, whose nodes decide how new rows are encrypted
 * @throws MerostoreError `WRONG_KEY` if the key decrypts no row of a sample, and rows look encrypted; `INVALID_ARGUMENT`
 */
export async function openEncrypted(
  engine: Engine,
  options: EncryptionOptions & { readonly masterKey: MasterKey },
  revision?: string,
): Promise<EncryptedEngine> {
  checkArgument("openEncrypted", engine, isEngine);
  return openTaking(isPlain, engine, options, revision ?? engine.revision, true);
}

/**
 * As {@link openEncrypted}, with the values that are returned as they are although the key does not decrypt them.
 *
 * @param readsPlain read a database of which no row looks encrypted as without the key: every value as it is, until one is
 * decrypted
 * @internal
 */
export async function openTaking(
  takenAsPlain: PlainTest,
  engine: Engine,
  options: EncryptionOptions & { readonly masterKey: MasterKey },
  revision: string | undefined,
  readsPlain = false,
): Promise<EncryptedEngine> {
  checkOptions("openEncrypted", options, encryptionOptions);
  const cipher = new ValueCipher(await masterKeyBytes(options.masterKey));
  try {
    const sample = await tryKey(engine, cipher);
    const isPlainDatabase = sample.rows > 0 && sample.decrypted === 0;
    return new EncryptedEngine(engine, cipher, {
      named: options.encryptionRule,
      rules: [...sample.rules],
      isPlain: isPlainDatabase,
      fallback: ruleOfRevision(revision),
      takenAsPlain,
      readsPlain: readsPlain && isPlainDatabase,
      warnings: warningsOf(sample),
    });
  } catch (error) {
    cipher.wipe();
    throw error;
  }
}

/**
 * Returns an engine for reading without the master key: the given one, or, where values look encrypted, one that marks all
 * values that do not show that they are plain. A ciphertext is then never taken for a value.
 *
 * @throws MerostoreError `DATABASE_ENCRYPTED` for an engine that is open for writing, if values look encrypted
 * @internal
 */
export async function openWithoutKey(engine: Engine): Promise<Engine> {
  if (engine.capabilities.writable) {
    await refuseEncrypted(engine);
    return engine;
  }
  if (engine instanceof EncryptedEngine) return engine;
  const votes = await sampleVotes(engine);
  if (!isRecognised(votes)) return engine;
  const which = stateOf(votes) === "mixed" ? "some" : "all";
  return new EncryptedEngine(engine, undefined, {
    ...{ rules: [], isPlain: false, fallback: ruleOfRevision(undefined), takenAsPlain: provesPlain },
    warnings: [
      {
        code: "KEY_MISSING",
        message: `${which} values look encrypted at rest, and the master key is missing: values that may be encrypted are not shown`,
      },
    ],
  });
}

/**
 * Throws unless new plain rows would be like those of a database: beside encrypted ones no node could read them.
 *
 * @throws MerostoreError `DATABASE_ENCRYPTED`
 * @internal
 */
export async function refuseEncrypted(engine: Engine): Promise<void> {
  if (engine instanceof EncryptedEngine) return;
  const votes = await sampleVotes(engine);
  if (!isRecognised(votes)) return;
  throw new MerostoreError(
    "DATABASE_ENCRYPTED",
    `${stateOf(votes) === "mixed" ? "some" : "all"} values look encrypted at rest, and new ones would not be: give the master key of its node`,
  );
}

interface Sample {
  readonly rules: ReadonlySet<EncryptionRule>;
  readonly rows: number;
  readonly decrypted: number;
  /** Rows that may be encrypted, and are not decrypted. */
  readonly foreign: number;
}

async function tryKey(engine: Engine, cipher: ValueCipher): Promise<Sample> {
  const rules = new Set<EncryptionRule>();
  const votes = noVotes();
  let [decrypted, foreign] = [0, 0];
  for await (const { column, rows } of sampleRows(engine)) {
    const values = await cipher.decrypt(rows.map(({ value }) => value));
    for (const [at, row] of rows.entries()) {
      addVote(votes, column, row);
      const { rule } = values[at] ?? {};
      if (rule === undefined) {
        if (!isPlain(column, row)) foreign++;
      } else {
        decrypted++;
        rules.add(rule);
      }
    }
  }
  if (decrypted === 0 && foreign > 0 && stateOf(votes) !== "plain") throw wrongKey(foreign);
  return { rules, rows: votes.rows, decrypted, foreign };
}

function wrongKey(rows: number): MerostoreError {
  return new MerostoreError(
    "WRONG_KEY",
    `the master key decrypts none of ${rows} examined values: the database was encrypted with another key`,
  );
}

function warningsOf({ rows, decrypted, foreign, rules }: Sample): Warning[] {
  const warnings: Warning[] = [];
  if (rows > 0 && decrypted === 0)
    warnings.push({
      code: "KEY_UNUSED",
      message: "the database is not encrypted, so the master key has no effect",
    });
  else if (foreign > 0)
    warnings.push({
      code: "ROWS_UNDECRYPTED",
      message: `the master key decrypts only some rows: ${foreign} of ${rows} examined rows are encrypted with another key, or damaged`,
    });
  if (rules.size > 1)
    warnings.push({
      code: "ENCRYPTION_MIXED",
      message: "some rows are encrypted as by nodes of core-0.10 and some as by nodes of core-0.11",
    });
  return warnings;
}
