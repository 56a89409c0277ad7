import { basename, dirname, join, sep } from "node:path";
import { Readable } from "node:stream";
import { count, counted, size } from "../../bytes/quantity.js";
import { realPath } from "../../disk/outside.js";
import { type RawRow, type Recovery, type RecoveryFinding, recoverDatabase } from "../../engines/index.js";
import { invalidArgument, isMerostoreError } from "../../errors.js";
import { decodes, revisions, type Schema } from "../../schemas/index.js";
import { openStore } from "../../store/index.js";
import { blobFolder, verifyStore, workerThreads } from "../../verify/index.js";
import { command } from "../arguments/command.js";
import { kindOfLocation } from "../arguments/location.js";
import { withMasterKey } from "../arguments/master-key.js";
import { text } from "../arguments/option-kinds.js";
import { json, keyFile, newEngine } from "../arguments/options.js";
import { databaseFolder } from "../database/database-folder.js";
import { wrapped } from "../output/lines.js";
import { checkOut, writeOut } from "../output/out-file.js";
import { fittedTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { shellWord, short } from "../output/text.js";
import { countsText } from "../verify/findings.js";

/** The most findings in text. */
const SHOWN = 20;

/** Writes everything readable in a damaged database into a new one. Status 1 if something is lost. */
export const recover = command({
  words: "recover <db> <folder>",
  description: "save all readable rows of a damaged database into a new one",
  options: {
    blobs: text("<folder>", "the folder of the blobs' files, to check them at the end too"),
    report: text(
      "<file>",
      "write what is lost to a file: a line of JSON for each loss, and a last one that sums up",
    ),
    newEngine,
    keyFile,
    json,
  },
  help: `Examples:
  merostore recover node/data node/recovered
  merostore recover node/data node/again --report lost.ndjson

The damaged folder is only read: stop the node first. CURRENT, the MANIFEST, the OPTIONS file, tables and logs may
be damaged or missing. A damaged block of a table and a damaged record of a log are left out, and everything around
them is kept; a batch of writes is kept as a whole or not at all. The report names each place, the keys that it can
have held and the bytes. Where the newest version of a row is lost, an older one, or a row that was deleted, may
come back.

The new folder gets its name when it is complete. At the end its rows are checked against each other as by verify,
and the verdict is printed: what is lost breaks links between rows. A node that goes on from a database without its
newest writes may never again agree with its peers: let it join anew, with an empty folder.
Status 0 if nothing is lost; 1 if something is, if the MANIFEST is missing or damaged (then nothing tells whether a
file is missing), or if the name of a column family is guessed or unknown; 3 if nothing can be recovered. The verdict
does not change the status.`,

  async run(terminal, { db, folder }, { blobs: blobsFolder, report, newEngine, json, keyFile }) {
    if (kindOfLocation(db) === "server")
      throw invalidArgument("recover reads the files of a folder: download the files of a server first");
    const blobs = blobsFolder === undefined ? undefined : await blobFolder(blobsFolder);
    const path = databaseFolder(db);
    if (report !== undefined) checkReport(report, path, folder);
    const lines = new Lines(report);
    const shown: RecoveryFinding[] = [];
    let recovery: Recovery;
    try {
      using progress = terminal.progress("recover");
      recovery = await recoverDatabase(path, folder, {
        onFinding: async (finding) => {
          if (!json && shown.length < SHOWN) shown.push(finding);
          await lines.add(finding);
          if (json) await terminal.json(finding);
        },
        onProgress: progress.show,
        writers,
        newEngine,
      });
      await lines.add(recovery);
      await lines.end();
    } catch (error) {
      await lines.stop(error as Error);
      throw error;
    }
    if (json) await terminal.json(recovery);
    else await terminal.lines(textOf(recovery, shown, report, terminal));
    terminal.remark(await verdict(terminal, folder, blobs, keyFile));
    const { losses, isManifestWhole, misplaced } = recovery;
    return losses === 0 && isManifestWhole && misplaced === 0 ? 0 : 1;
  },
});

/** Writes the lines of a report to a file. */
class Lines {
  readonly #lines: Readable | undefined;
  readonly #written: Promise<unknown>;
  /** Called when the file is ready for more, or has failed. */
  #goOn: () => void = () => undefined;
  #ready: Promise<void> | undefined;

  /** @param path the file; nothing is written without one */
  constructor(path: string | undefined) {
    if (path !== undefined)
      this.#lines = new Readable({
        read: () => this.#goOn(),
        destroy: (error, done) => {
          this.#goOn();
          done(error);
        },
      });
    this.#written =
      path === undefined || this.#lines === undefined ? Promise.resolve() : writeOut(path, [this.#lines]);
    this.#written.catch(() => undefined); // `end` reports the error
  }

  /** Adds a line. The promise resolves when the file is ready for more, and rejects if it cannot be written. */
  async add(line: object): Promise<void> {
    const lines = this.#lines;
    if (lines?.destroyed) await this.#written;
    if (lines === undefined || lines.push(`${JSON.stringify(line)}\n`)) return;
    this.#ready ??= new Promise((resolve) => {
      this.#goOn = () => {
        this.#ready = undefined;
        resolve();
      };
    });
    await this.#ready;
  }

  async end(): Promise<void> {
    this.#lines?.push(null);
    await this.#written;
  }

  /** Removes the file. */
  async stop(error: Error): Promise<void> {
    this.#lines?.destroy(error);
    await this.#written.catch(() => undefined);
  }
}

/** Refuses a report within the damaged database, or within the new one. */
function checkReport(report: string, db: string, folder: string): void {
  checkOut(report);
  const place = `${join(realPath(dirname(report)), basename(report))}`;
  for (const other of [db, folder])
    if (place.startsWith(`${realPath(other)}${sep}`))
      throw invalidArgument(`${report} lies within ${other}: choose a path outside it`);
}

/** The nodes that may have written a database, the newest first. */
const writers = (revisions as readonly Schema[]).toReversed().map((schema) => ({
  columns: ["default", ...schema.columns.filter((name) => name !== "default")],
  fits: (column: string, rows: readonly RawRow[]) =>
    rows.every(({ key, value }) => {
      const row = schema.identify(column, key);
      return row !== undefined && decodes(row, key, value);
    }),
}));

function textOf(
  recovery: Recovery,
  shown: readonly RecoveryFinding[],
  report: string | undefined,
  { ids, width }: Terminal,
): readonly string[] {
  const { losses, remarks, lostBytes, rows, columns, isManifestWhole, misplaced } = recovery;
  const head = ["", "file", "byte", "bytes", "family", "keys from", "to", "what"];
  const cells = shown.map(({ lost, file, offset, bytes, column, firstKey, lastKey, message }) => [
    lost ? "LOST" : "note",
    file,
    count(offset),
    count(bytes),
    column ?? "",
    firstKey === null ? "" : short(firstKey, ids),
    lastKey === null ? "" : short(lastKey, ids),
    message,
  ]);
  const more = losses + remarks - shown.length;
  const where = report === undefined ? "--report FILE has them all" : `${report} has them all`;
  const said = [
    `${counted(rows, "row")} in ${counted(columns.length, "column family", "column families")} recovered; ` +
      (losses === 0
        ? isManifestWhole
          ? "nothing is lost"
          : "no loss was found"
        : `${counted(losses, "loss", "losses")}, ${size(lostBytes)} that could not be read`),
    ...(isManifestWhole
      ? []
      : [
          "Without a whole MANIFEST nothing tells whether a file is missing; rows that were deleted or replaced may be back.",
        ]),
    ...(misplaced === 0
      ? []
      : [
          `${counted(misplaced, "row")} in column families whose name no file tells: it is guessed, or unknown`,
        ]),
  ];
  return [
    ...(cells.length === 0
      ? []
      : fittedTable([head, ...cells], { right: [2, 3], wrap: [7], cut: [1], leave: [6, 5, 4, 3] }, width)),
    ...(more > 0 ? [`and ${count(more)} more: ${where}`] : []),
    ...(cells.length === 0 ? [] : [""]),
    ...said.flatMap((line) => wrapped(line, width, 2)),
  ];
}

/** The verdict of the rules about the new database, in a sentence. */
async function verdict(
  terminal: Terminal,
  folder: string,
  blobs: Awaited<ReturnType<typeof blobFolder>> | undefined,
  keyFile: string | undefined,
): Promise<string> {
  try {
    const open = (masterKey: Uint8Array | undefined) => openStore(folder, { masterKey });
    await using store = await withMasterKey(keyFile, open);
    await using work = workerThreads();
    using progress = terminal.progress("verify");
    const onProgress = progress.show;
    const summary = await verifyStore(store, { blobs, work, onProgress }).summary();
    return `verify says of ${folder}: ${countsText(summary)}; merostore verify ${shellWord(folder)} shows them`;
  } catch (error) {
    if (!isMerostoreError(error)) throw error;
    return `${folder} is not verified: ${error.message}`;
  }
}
