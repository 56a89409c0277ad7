/** An answer as one Parquet file. */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { invalidArgument } from "../errors.js";
import { checkArgument, hasMembers } from "../options.js";
import { chunksOf, type SqlAnswer } from "./answer.js";
import { quotedName, quotedText } from "./layout.js";
import { MEMORY_BYTES, openDuckDB } from "./open.js";
import { dictionaryLimit, memoryFor } from "./parquet-form.js";

/** Types that DuckDB does not write to Parquet as they are. */
const WITHOUT_PARQUET = /\b(U?HUGEINT|UNION|BIGNUM|BIT|VARIANT)\b/;

/**
 * Yields a Parquet file with the rows of an answer. A HUGEINT, as sums have, becomes a DECIMAL of 38 digits.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a type that Parquet does not have, and the errors of reading the answer
 * @example
 * import { writeFile } from "node:fs/promises";
 * import { openStore } from "merostore";
 * import { openSql, parquetOf } from "merostore/sql";
 *
 * await using store = await openStore("node/data");
 * await using sql = await openSql(store);
 * await writeFile("members.parquet", parquetOf(await sql.query("from GroupMember")));
 */
export async function* parquetOf(answer: SqlAnswer): AsyncGenerator<Uint8Array, void, undefined> {
  checkArgument("parquetOf", answer, hasMembers("an answer", "columns", "chunks"));
  const list = answer.columns.map(({ name, type }) => {
    if (type === "HUGEINT") return `CAST(${quotedName(name)} AS DECIMAL(38, 0)) AS ${quotedName(name)}`;
    if (WITHOUT_PARQUET.test(type.replaceAll(/"(?:[^"]|"")*"/g, "")))
      throw invalidArgument(`Parquet has no type for the column ${name}: write ${name}::VARCHAR`);
    return quotedName(name);
  });
  const types = answer.columns.map(({ type }) => type);
  const memoryBytes = memoryFor(types, MEMORY_BYTES);
  await using duckdb = await openDuckDB(memoryBytes, true, 1);
  const connection = await duckdb.connect();
  const columns = answer.columns.map(({ name, type }) => `${quotedName(name)} ${type}`);
  await connection.run(`CREATE TABLE answer (${columns.join(", ")})`);
  const appender = await connection.createAppender("answer");
  try {
    for await (const chunk of chunksOf(answer)) {
      appender.appendDataChunk(chunk);
      appender.flushSync();
    }
  } finally {
    appender.closeSync();
  }
  const path = join(duckdb.folder, "answer.parquet");
  await connection.run(
    `COPY (SELECT ${list.join(", ")} FROM answer) TO ${quotedText(path)} (FORMAT parquet, ${dictionaryLimit(types, memoryBytes)})`,
  );
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}
