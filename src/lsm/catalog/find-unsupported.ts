/** What a database says of itself that cannot be read here. */

import type { MerostoreError } from "../../errors.js";
import { UnreadableFormat } from "../format/byte-cursor.js";
import type { Catalog } from "./catalog.js";
import { unsupported } from "./unsupported.js";

/** The error that says what cannot be read, or undefined. */
export function findUnsupported(catalog: Catalog): MerostoreError | undefined {
  const { files, manifest, manifestName } = catalog;
  const [reason] = manifest.unsupported;
  if (reason !== undefined) return unsupported(files.where(manifestName), reason);
  return findLogsElsewhere(catalog);
}

/** As {@link findUnsupported}, of what RocksDB cannot read either, or would pass over in silence. */
export function findUnreadable(catalog: Catalog): MerostoreError | undefined {
  const { files, manifest, manifestName } = catalog;
  const reason = manifest.unsupported.find((one) => one instanceof UnreadableFormat);
  if (reason !== undefined) return unsupported(files.where(manifestName), reason);
  return findLogsElsewhere(catalog);
}

/**
 * The error for write-ahead logs in a folder of their own. RocksDB finds them only if it is told where, and opens the
 * database without their rows if it is not. They are not read there: what lies in that folder now may be of another
 * database, the one of which this is a copy above all.
 *
 * A folder may be named and the logs be here all the same: old writers always name the one that they write to, and a copy
 * does not lie there. A writer begins a log right before a MANIFEST when it opens the database: if that log or a later one
 * is here, it has written them here. Earlier ones may be of a time before it was told another folder.
 */
function findLogsElsewhere(catalog: Catalog): MerostoreError | undefined {
  const { files, manifest, manifestName, logs, optionsName, logFolder } = catalog;
  if (logFolder === undefined || files.isAt?.(logFolder)) return undefined;
  const first = Math.max(manifest.minLogNumber, Number(manifestName.slice("MANIFEST-".length)) - 1);
  if (logs.some((log) => log >= first)) return undefined;
  return unsupported(
    files.where(optionsName as string),
    new UnreadableFormat(
      `the write-ahead logs are in another folder, ${logFolder} (wal_dir), and their rows would be missing`,
      "Copy this folder, and the files *.log from there into the copy; or use the program that wrote it",
    ),
  );
}
