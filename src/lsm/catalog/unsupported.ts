/** The error for files of an unsupported format. */

import { MerostoreError } from "../../errors.js";
import type { UnsupportedFormat } from "../format/byte-cursor.js";

/** Creates a FORMAT_UNSUPPORTED error. Its cause shows whether RocksDB can read the files instead. */
export function unsupported(where: string, cause: UnsupportedFormat): MerostoreError {
  return new MerostoreError("FORMAT_UNSUPPORTED", `${where}: ${cause.message}. ${cause.remedy}`, { cause });
}
