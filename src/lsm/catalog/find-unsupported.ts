/** Detects unsupported features of a database. */

import type { MerostoreError } from "../../errors.js";
import { unsupported } from "../damage.js";
import { UnreadableFormat, UnsupportedFormat } from "../format/byte-cursor.js";
import type { Manifest } from "../format/manifest.js";
import type { Catalog } from "./catalog.js";
import { numberIn } from "./file-names.js";

/**
 * Returns an error for an unsupported feature, or undefined.
 *
 * @param kind `UnreadableFormat` for features that RocksDB cannot read either, or would ignore silently
 */
export function findUnsupported(
  catalog: Catalog,
  kind: typeof UnsupportedFormat | typeof UnreadableFormat = UnsupportedFormat,
): MerostoreError | undefined {
  const { files, manifest, manifestName } = catalog;
  const reason = [...manifest.unsupported, ...nameTwice(manifest)].find((one) => one instanceof kind);
  if (reason !== undefined) return unsupported(files.where(manifestName), reason);
  return findLogsElsewhere(catalog);
}

/**
 * A repair may restore a dropped column family whose name another family has now. RocksDB then opens one of the two.
 */
function nameTwice({ columns }: Manifest): readonly UnsupportedFormat[] {
  const names = new Set(columns.map(({ name }) => name));
  if (names.size === columns.length) return [];
  return [new UnsupportedFormat("two column families have one name, as after a repair")];
}

/**
 * Returns the error for write-ahead logs in another folder. RocksDB finds them only if it is configured with the
 * folder; otherwise it opens the database without their rows. They are not read from there, because the folder may now
 * belong to another database, for example the original of a copy.
 *
 * The OPTIONS file may name a folder although the logs are beside the tables: old writers always name the folder that
 * they write to, and the name stays in a copy. A writer starts a log directly before a MANIFEST when it opens the
 * database. If that log or a later one exists here, the writer wrote its logs here. Earlier logs may be older than the
 * configuration of the other folder.
 */
function findLogsElsewhere(catalog: Catalog): MerostoreError | undefined {
  const { files, manifest, manifestName, logs, optionsName, options } = catalog;
  const logFolder = options?.logFolder;
  if (logFolder === undefined || files.isAt?.(logFolder)) return undefined;
  const first = Math.max(manifest.minLogNumber, numberIn(manifestName) - 1);
  if (logs.some((log) => log >= first)) return undefined;
  return unsupported(
    files.where(optionsName as string),
    new UnreadableFormat(
      `the write-ahead logs are in another folder, ${logFolder} (wal_dir), and their rows would be missing`,
      "Copy this folder, and the files *.log from there into the copy; or use the program that wrote it",
    ),
  );
}
