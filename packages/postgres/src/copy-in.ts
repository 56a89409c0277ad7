/** Many rows into a table at once: `COPY … (format binary)`. */

import { once } from "node:events";
import type { Limits, RawRow } from "merostore/engine";
import { from } from "pg-copy-streams";
import { checkLimits } from "./batch.js";
import { commitUnknown, isRefusedCommit } from "./classify.js";
import type { Connection } from "./connection.js";

/** The start of the binary form: its signature, no flags, no extension. */
const HEADER = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
/** The end of the binary form: it takes the place of a number of columns. */
const TRAILER = Buffer.from([0xff, 0xff]);
/** Bytes before the key of a row (the number of columns and the length), and before its value (the length). */
const ROW_BYTES = 2 + 4 + 4;

/** The target of a copy, for limits and messages. */
export interface CopyTarget {
  readonly column: string;
  readonly limits: Limits;
  readonly server: string;
  readonly shown: string;
}

/**
 * Copies rows into a table, in one transaction.
 *
 * @returns the number of rows
 * @throws MerostoreError ROW_TOO_LARGE, COMMIT_UNKNOWN, and the errors of the rows
 */
export async function copyIn(
  connection: Connection,
  table: string,
  rows: AsyncIterable<readonly RawRow[]>,
  target: CopyTarget,
): Promise<number> {
  let count = 0;
  await connection.run("begin");
  try {
    const stream = from(`copy ${table} (key, value) from stdin (format binary)`);
    await connection.copy(stream, async () => {
      const finished = once(stream, "finish");
      finished.catch(() => undefined); // reported by the write that fails, or by the last wait
      try {
        await written(stream, HEADER);
        for await (const chunk of rows) {
          checkRows(chunk, target);
          await written(stream, encoded(chunk));
          count += chunk.length;
        }
        stream.end(TRAILER);
      } catch (error) {
        stream.on("error", () => undefined);
        const closed = new Promise((resolve) => stream.once("close", resolve));
        stream.destroy(new Error("the rows could not be read to their end")); // goes into the server's log
        await closed;
        throw error;
      }
      await finished;
    });
  } catch (error) {
    if (!connection.isLost) await connection.run("rollback").catch(() => connection.end());
    throw error;
  }
  await connection.run("commit").catch((error: unknown) => {
    throw isRefusedCommit(error) ? error : commitUnknown(error, target.shown);
  });
  return count;
}

function checkRows(rows: readonly RawRow[], { column, limits, server }: CopyTarget): void {
  const operations = rows.map(({ key, value }) => ({ type: "put", column, key, value }) as const);
  checkLimits(operations, { ...limits, batchBytes: Number.POSITIVE_INFINITY }, server);
}

/** Writes a piece. Waits until the connection has taken it. */
function written(stream: NodeJS.WritableStream, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

function encoded(rows: readonly RawRow[]): Buffer {
  let size = 0;
  for (const { key, value } of rows) size += ROW_BYTES + key.length + value.length;
  const buffer = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { key, value } of rows) {
    at = buffer.writeInt16BE(2, at);
    at = buffer.writeInt32BE(key.length, at);
    buffer.set(key, at);
    at = buffer.writeInt32BE(value.length, at + key.length);
    buffer.set(value, at);
    at += value.length;
  }
  return buffer;
}
