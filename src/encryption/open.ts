/** Opens an engine with encrypted values, after trying the key on a sample of rows. */
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
  /** The rule for writing. By default the rule of the existing rows, or of the database's revision. */
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
 * Returns an engine that decrypts the reads of another engine and encrypts its writes. Plain rows are returned
 * unchanged. If no row of a sample is encrypted, every row that the key does not decrypt is returned unchanged too,
 * until a row is decrypted. Closing it closes the other engine. If the key is refused, the other engine stays open.
 *
 * @param revision the name of a new database's revision, which decides the encryption of new rows
 * @throws MerostoreError `WRONG_KEY` if the key decrypts no row of a sample although rows look encrypted;
 *   `INVALID_ARGUMENT`
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
 * {@link openEncrypted} with a test for values that are returned unchanged although the key does not decrypt them.
 *
 * @param readsPlain if no row of the database looks encrypted, return every value unchanged until one is decrypted
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
 * Returns an engine for reading without the master key. It is the given one or, if values look encrypted, an engine
 * that marks all values that are not provably plain. So a ciphertext never counts as a value.
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
 * Throws if values of a database look encrypted: no node could read new plain rows beside them.
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
  /** The number of rows that may be encrypted and were not decrypted. */
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
