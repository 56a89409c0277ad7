/**
 * Why the engine files may refuse a database, and which form of a database justifies it (the names are those of plan.py).
 * A refusal without such a form is a failure: something that was read before no longer is.
 */

const refusals = [
  { reason: /^values are in blob files/, forms: ["blob files"] },
  { reason: /^blocks are compressed with BZip2/, forms: ["bzip2"] },
  { reason: /^blocks are compressed with a dictionary/, forms: ["dictionary"] },
  { reason: /^tables have the format version 0/, forms: ["old tables"] },
  { reason: /^blocks are compressed in the format version 1/, forms: ["old tables"] },
  { reason: /^an index has first keys/, forms: ["first keys"] },
  { reason: /^tables are not block-based/, forms: ["plain tables"] },
  { reason: /is ordered by rocksdb\.ReverseBytewiseComparator/, forms: ["another order"] },
  { reason: /wide-column entity/, forms: ["entities"] },
  { reason: /^a table has one global sequence number/, forms: ["ingested"] },
  { reason: /^the log is compressed/, forms: ["compressed log"] },
  { reason: /as after a repair$/, forms: ["repair"] },
  { reason: /^table files are in several folders/, forms: ["db_paths"] },
];

/** Whether a database of these forms may be refused for this reason. */
export function isExpected(reason, forms) {
  return refusals.some((one) => one.reason.test(reason) && one.forms.some((form) => forms.includes(form)));
}
