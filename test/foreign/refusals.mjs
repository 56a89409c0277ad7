/**
 * Why a database may be refused, and which form of a database justifies it (the names are those of plan.py). A database
 * that is refused without such a form is a failure: something that was read before no longer is.
 */

const refusals = [
  { reason: /^values are in blob files/, forms: ["blob files"] },
  { reason: /^blocks are compressed with BZip2/, forms: ["bzip2"] },
  { reason: /^blocks are compressed with a dictionary/, forms: ["dictionary"] },
  { reason: /^tables have the format version 0/, forms: ["old tables"] },
  { reason: /^blocks are compressed in the format version 1/, forms: ["old tables"] },
  { reason: /^an index has first keys/, forms: ["first keys"] },
  { reason: /^tables are not block-based/, forms: ["plain tables"] },
  { reason: /ordered by|in the order of/, forms: ["another order"] },
  { reason: /wide column/, forms: ["entities"] },
  { reason: /^a table has one global sequence number/, forms: ["ingested"] },
  { reason: /^the log is compressed/, forms: ["compressed log"] },
  { reason: /folder/, forms: ["wal_dir", "db_paths"] },
];

/** Why a database was refused: the sentence of an error without the file, and without what to do. */
export function reasonOf(error) {
  return error.cause?.message ?? error.message;
}

/** Whether a database of these forms may be refused for this reason. */
export function isExpected(reason, forms) {
  return refusals.some((one) => one.reason.test(reason) && one.forms.some((form) => forms.includes(form)));
}
