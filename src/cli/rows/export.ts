import { statSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { count, counted, size } from "../../bytes/quantity.js";
import { invalidArgument } from "../../errors.js";
import { type ExportSummary, exportStore } from "../../transfer/index.js";
import { command, type ExitStatus } from "../arguments/command.js";
import { choiceOr, flag } from "../arguments/option-kinds.js";
import { opening, out, revealSecrets, selection } from "../arguments/options.js";
import { parseSelection, remarkNoRows, selectsIds } from "../arguments/selection.js";
import { openDatabase } from "../database/database.js";
import { checkOut, writeOut } from "../output/out-file.js";
import type { Terminal } from "../output/terminal.js";
import { exportToParquet } from "./export-parquet.js";

/**
 * Writes a database as text. A file gets its name only when it is complete. Status 1 if rows lack their values, unless
 * the user accepted that, or if no row names the context or group. An existing file is then kept.
 */
export const exportCommand = command({
  words: "export <db>",
  description: "write a database, or a part of it, as text that can be imported",
  options: {
    out,
    ...selection,
    format: choiceOr("<name>", ["ndjson", "parquet"], "ndjson", "text, or a folder of Parquet files with -o"),
    gzip: flag("packed; implied by a name for -o that ends in .gz"),
    revealSecrets,
    withoutSecrets: flag("accept that rows with secrets have no values", { conflicts: ["revealSecrets"] }),
    ...opening,
  },
  help: `One JSON object per line: first a description of the database, then every row as "scan --json" shows it, unknown rows
included, last the counts and a SHA-256 of the rows. Without --reveal-secrets the export leaves out private keys, shared
keys, private state (collections that nodes of 0.10 keep in State and Delta included) and every value that it does not
understand. "import" takes such an export only --without-secrets, and skips those rows. The command then reports how
many rows cannot be restored, and ends with status 1 unless --without-secrets is given. With status 1, -o keeps an
existing file.

Examples:
  merostore export node/data --reveal-secrets -o node.ndjson.gz
  merostore export node/data --context DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp --without-secrets |
    jq -c 'select(.kind == "ContextDagDelta") | .decoded.hlc'
  merostore export node/data --column Group --reveal-secrets -o groups.ndjson
  merostore export node/data --format parquet -o parquet

--format parquet writes a folder with one file for each kind of row, with the columns of "merostore sql". It is for
other programs: import does not read it. The folder must be missing or empty, and gets its name when it is complete.

Only you can read the file that -o writes. Keep an export with secrets like the database itself: whoever reads it has
the node's keys. A row of more than 16 MiB does not fit into an export (status 3): copy such a database with "backup".`,

  async run(terminal, { db }, options) {
    if (options.format === "parquet") return exportToParquet(terminal, db, options);
    const { out, revealSecrets, withoutSecrets } = options;
    const gzip = options.gzip || out?.endsWith(".gz") === true;
    if (out !== undefined) checkOut(out);
    else if (gzip && terminal.interactive)
      throw invalidArgument("a terminal cannot show packed bytes: name a file with --out");
    await using store = await openDatabase(terminal, db, options);
    const selection = await parseSelection(options, store);
    using progress = terminal.progress("export", out === undefined ? "rows" : "nothing");
    const lines = exportStore(store, {
      ...selection,
      revealSecrets,
      onProgress: progress.show,
    });
    let summary: ExportSummary = { rows: 0, withoutValue: 0, undecrypted: 0 };
    const pieces = async function* () {
      summary = yield* lines;
    };
    const streams = [Readable.from(pieces()), ...(gzip ? [createGzip()] : [])];
    let kept: string | undefined;
    if (out !== undefined) {
      const mayReplace = (): boolean =>
        (summary.withoutValue === 0 || withoutSecrets) &&
        summary.undecrypted === 0 &&
        (summary.rows > 0 || !selectsIds(selection));
      if (!(await writeOut(out, streams, mayReplace))) kept = out;
    } else {
      const stdout = new Writable({
        write: (piece: Uint8Array, _encoding, done) => void terminal.bytes(piece).then(() => done(), done),
      });
      await pipeline([...streams, stdout]);
    }
    if (summary.rows === 0 && selectsIds(selection)) {
      remarkNoRows(terminal, selection, kept === undefined ? "" : `; ${kept} was kept`);
      return 1;
    }
    const written = out === undefined || kept !== undefined ? undefined : out;
    if (written !== undefined && summary.withoutValue === 0)
      terminal.remark(
        `${counted(summary.rows, "row")}, ${size(statSync(written).size)}, written to ${written}`,
      );
    return reportMissingValues(terminal, summary, withoutSecrets, kept);
  },
});

/**
 * Reports the number of rows that the export cannot restore. Status 1 unless the user accepted that.
 *
 * @param kept the existing file that was not replaced
 */
function reportMissingValues(
  terminal: Terminal,
  { rows, withoutValue, undecrypted }: ExportSummary,
  isAccepted: boolean,
  kept: string | undefined,
): ExitStatus {
  if (undecrypted > 0) {
    terminal.remark(
      `${count(undecrypted)} of ${counted(rows, "row")} ${undecrypted === 1 ? "is" : "are"} exported without a value, because no given master key decrypts ${undecrypted === 1 ? "it" : "them"}: import refuses the export${kept === undefined ? "" : `. ${kept} was kept`}`,
    );
    return 1;
  }
  if (withoutValue === 0) return 0;
  if (kept !== undefined) {
    terminal.remark(
      `${kept} was kept: the new export lacks ${counted(withoutValue, "value")}; add --reveal-secrets to export everything, or --without-secrets if they may be missing`,
    );
    return 1;
  }
  const lack =
    withoutValue === 1
      ? "is exported without its value, which is"
      : "are exported without their values, which are";
  const missing = `${count(withoutValue)} of ${counted(rows, "row")} ${lack} secret or not understood`;
  if (isAccepted) {
    terminal.remark(missing);
    return 0;
  }
  terminal.remark(
    `${missing}: import cannot restore them. Add --reveal-secrets to export everything, or --without-secrets if they may be missing`,
  );
  return 1;
}
