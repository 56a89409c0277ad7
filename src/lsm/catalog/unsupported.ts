/** The error for files of a form that is not read here. */

import { MerostoreError } from "../../errors.js";
import type { UnsupportedFormat } from "../format/byte-cursor.js";

/** A FORMAT_UNSUPPORTED error; its cause says whether RocksDB can be asked instead. */
export function unsupported(where: string, cause: UnsupportedFormat): MerostoreError {
  return new MerostoreError("FORMAT_UNSUPPORTED", `${where}: ${cause.message}. ${cause.remedy}`, { cause });
}
