/**
 * The reasons why the engine files may refuse a database: what its error says, with which code, and which form of a
 * database justifies it (the names are those of plan.py). A refusal without such a form is a failure: something that
 * was read before no longer is.
 */

const refusals = [
  { reason: "values are in blob files", forms: ["blob files"] },
  { reason: "blocks are compressed with BZip2", forms: ["bzip2"] },
  { reason: "tables have the format version 0", forms: ["old tables"] },
  { reason: "blocks are compressed in the format version 1", forms: ["old tables"] },
  { reason: "an index has first keys", forms: ["first keys"] },
  { reason: "tables are not block-based", forms: ["plain tables"] },
  { reason: "is ordered by rocksdb.ReverseBytewiseComparator", forms: ["another order"] },
  { reason: "a table has one global sequence number", forms: ["ingested"] },
  { reason: "is neither older nor newer than another table, as after a repair", forms: ["repair"] },
  { reason: "two column families have one name, as after a repair", forms: ["repair"] },
  { reason: "the log is compressed", forms: ["compressed log"] },
  { reason: "the write-ahead logs are in another folder", forms: ["wal_dir"] },
  { reason: "table files are in several folders", forms: ["db_paths"] },
  // The MANIFEST does not tell a table that lies elsewhere from one that is missing.
  { reason: "or lies in another folder (db_paths, cf_paths)", forms: ["db_paths"], code: "DATABASE_DAMAGED" },
  { reason: "its oldest entries have no sequence numbers", forms: ["repair", "ingested"] },
  // The repair writes a MANIFEST without families that had no rows, and leaves the OPTIONS file of before.
  { reason: "it does not mention the column families", forms: ["repair"], code: "DATABASE_DAMAGED" },
];

/** The reason for which a database of these forms may be refused with an error; undefined if absent. */
export function justified({ code, why }, forms) {
  return refusals.find(
    (one) =>
      code === (one.code ?? "FORMAT_UNSUPPORTED") &&
      why.includes(one.reason) &&
      one.forms.some((form) => forms.includes(form)),
  )?.reason;
}

/**
 * Returns whether openEngine may refuse a database: only one that the engine files refuses, with the same error, because RocksDB
 * cannot read it either, or for another reason that a form of it justifies, such as tables in a folder that only its writer knows.
 */
export function mayRefuse(openEngine, files, forms) {
  if (files.kind !== "refused") return false;
  if (openEngine.code === files.code || openEngine.code === "FORMAT_UNSUPPORTED") return true;
  return justified(openEngine, forms) !== undefined;
}
