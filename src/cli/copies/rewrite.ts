/** Encrypts and decrypts databases into a new folder, never in place. */
import { counted } from "../../bytes/quantity.js";
import { encryptionRules } from "../../encryption/index.js";
import { invalidArgument } from "../../errors.js";
import { type RewriteOptions, type Rewritten, rewriteDatabase } from "../../transfer/index.js";
import { command, type ExitStatus } from "../arguments/command.js";
import { shownLocation } from "../arguments/location.js";
import { masterKeyOf } from "../arguments/master-key.js";
import { choice, flag, text } from "../arguments/option-kinds.js";
import { engine, json, keyFile, newEngine } from "../arguments/options.js";
import { databaseFolder } from "../database/database-folder.js";
import type { Terminal } from "../output/terminal.js";

const rule = choice(
  "<name>",
  encryptionRules,
  "nodes of which revision are to decrypt it; found from the rows",
);

const acceptPlain = flag(
  "accept as plain the rows that the key does not decrypt and whose values may be any bytes",
);

/** The treatment of rows that are not encrypted. */
const PLAIN = `Rows that are not encrypted, and show it by their layout, are taken as they are. Rows that the key does not decrypt, and
that do not show it, end the command: they are of another key, damaged, or written before the node had a key. If you
know that nodes wrote them before they had a key, take them with --accept-plain. A database without any encrypted row is
refused.`;

const KEYS = `A key file holds the master key as hex digits, as the node's key service returns it; MEROSTORE_MASTER_KEY can hold them
instead. A key is never an argument, which other users of this machine may see. Make sure that only you can read
the file.`;

const SAFE = `The new database gets its name only when it is complete: the command reads both and compares them row by row. If it
fails or is interrupted, there is none. The database that is read does not change. Blob files are never encrypted.`;

/** The common part of the three commands. */
interface Task extends RewriteOptions {
  readonly db: string;
  readonly folder: string;
  readonly json: boolean;
  readonly doing: string;
  readonly done: string;
  readonly masterKey?: Uint8Array | undefined;
  readonly newMasterKey?: Uint8Array | undefined;
}

async function rewrite(terminal: Terminal, task: Task): Promise<ExitStatus> {
  const { db, folder, json, doing, done, ...options } = task;
  let result: Rewritten;
  try {
    using progress = terminal.progress(doing);
    result = await rewriteDatabase(databaseFolder(db), folder, { ...options, onProgress: progress.show });
  } finally {
    options.masterKey?.fill(0);
    options.newMasterKey?.fill(0);
  }
  const { warnings, ...rewritten } = result;
  for (const { message } of warnings) terminal.remark(message);
  if (json) await terminal.json({ to: shownLocation(folder), ...rewritten });
  await terminal.flush();
  const how =
    rewritten.encryptionRule === undefined ? "" : `, as nodes of ${rewritten.encryptionRule} encrypt them`;
  terminal.remark(
    `${counted(rewritten.rows, "row")} ${done} into ${shownLocation(folder)}${how}, and compared: all equal`,
  );
  return 0;
}

function requiredKey(file: string | undefined): Uint8Array {
  const key = masterKeyOf(file);
  if (key === undefined)
    throw invalidArgument("give the master key: --key-file FILE, or MEROSTORE_MASTER_KEY");
  return key;
}

/** Encrypts a database into a new one. */
export const encrypt = command({
  words: "encrypt <db> <folder>",
  description: "create a database with the same rows, encrypted at rest with a master key",
  options: { keyFile, rule, engine, newEngine, json },
  help: `Examples:
  merostore db encrypt node/data new/data --key-file node.key
  merostore db encrypt node/data older/data --key-file node.key --rule core-0.10

${SAFE}

${KEYS}

A node decrypts the database only if its key service gives it this key. Keys of rows are not encrypted: ids, names
of aliases and the order of sorted maps stay readable.`,

  run: (terminal, { db, folder }, { keyFile, rule, engine, newEngine, json }) => {
    const newMasterKey = requiredKey(keyFile);
    return rewrite(terminal, {
      ...{ db, folder, engine, newEngine, json, newMasterKey, encryptionRule: rule },
      ...{ doing: "encrypt", done: "encrypted" },
    });
  },
});

/** Decrypts a database into a new one. */
export const decrypt = command({
  words: "decrypt <db> <folder>",
  description: "create a database with the decrypted rows of an encrypted one",
  options: { keyFile, acceptPlain, engine, newEngine, json },
  help: `Examples:
  merostore db decrypt encrypted/data plain/data --key-file node.key
  merostore db decrypt encrypted/data all/data --key-file node.key --accept-plain

${SAFE}

${PLAIN}

${KEYS}`,

  run: (terminal, { db, folder }, { keyFile, acceptPlain, engine, newEngine, json }) => {
    const masterKey = requiredKey(keyFile);
    return rewrite(terminal, {
      ...{ db, folder, engine, newEngine, json, acceptPlain, masterKey },
      ...{ doing: "decrypt", done: "decrypted" },
    });
  },
});

/** Encrypts an encrypted database with another key, or as other nodes do, into a new one. */
export const rekey = command({
  words: "rekey <db> <folder>",
  description: "create a database with the rows of an encrypted one, for another key or other nodes",
  options: {
    keyFile,
    newKeyFile: text("<file>", "the new master key, as hex; the same key if not given"),
    rule,
    acceptPlain,
    engine,
    newEngine,
    json,
  },
  help: `Examples:
  merostore db rekey encrypted/data other/data --key-file node.key --new-key-file new.key
  merostore db rekey encrypted/data newer/data --key-file node.key --rule core-0.11

Nodes of 0.11 do not decrypt what nodes of 0.10 encrypted, and the other way round: --rule core-0.11 makes the values
readable for nodes of 0.11. It does not convert the rows themselves.

${SAFE}

${PLAIN} Plain rows are encrypted, too.

${KEYS}`,

  run: (terminal, { db, folder }, { keyFile, newKeyFile, rule, acceptPlain, engine, newEngine, json }) => {
    const masterKey = requiredKey(keyFile);
    const newMasterKey = newKeyFile === undefined ? Uint8Array.from(masterKey) : requiredKey(newKeyFile);
    return rewrite(terminal, {
      ...{ db, folder, engine, newEngine, json, acceptPlain, masterKey, newMasterKey },
      ...{ doing: "rekey", done: "encrypted", encryptionRule: rule },
    });
  },
});
