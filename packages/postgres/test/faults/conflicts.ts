/** Two programs write the same rows: conflicts happen, and nothing is lost. */
import type { Engine } from "../../../../src/engine/engine.js";
import { openPostgresEngine } from "../../src/index.js";
import { TcpProxy } from "../support/tcp-proxy.js";
import { check, linesOf, nodeAt, otherProgram, put, text, withNode } from "./rows.js";

const KEYS = ["a", "b", "c", "d", "e"];

/**
 * Writers write batches that put their name under the same five keys, in different orders, and a row of their own. In
 * the end all five rows have the same name, and every acknowledged row is there.
 */
export async function writeAtOnce(server: string, writers: number, batches: number, random: () => number) {
  return countingConflicts(server, "conflicts", async ({ engine, through, conflicts }) => {
    const run = async (writer: number): Promise<void> => {
      await using own = await openPostgresEngine(through, { writable: true });
      for (let batch = 0; batch < batches; batch++) {
        const shuffled = KEYS.toSorted(() => random() - 0.5);
        await own.write([
          ...shuffled.map((key) => put("State", key, `${writer} ${batch}`)),
          put("State", `own ${writer} ${batch}`, "there"),
        ]);
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => run(writer)));
    const names = new Set(
      (
        await engine.getMany(
          "State",
          KEYS.map((key) => Buffer.from(key)),
        )
      ).map(text),
    );
    check(names.size === 1, `a batch was mixed with another one: ${[...names].join(", ")}`);
    const rows = (await linesOf(engine)).length;
    check(rows === KEYS.length + writers * batches, `${rows} rows`);
    return { batches: writers * batches, conflicts: conflicts() };
  });
}

/** Another program holds a row when a batch writes it: the batch fails with 40001, is tried again, and is written. */
export async function writeAfterConflict(server: string): Promise<number> {
  return countingConflicts(server, "one-conflict", async ({ engine, url, through, conflicts }) => {
    await engine.write([put("State", "a", "first")]);
    const other = await otherProgram(url);
    await other.query("begin isolation level serializable");
    await other.query(`update "merostore_one-conflict"."State" set value = '\\x41' where key = '\\x61'`);
    await using own = await openPostgresEngine(through, { writable: true });
    const writing = own.write([put("State", "a", "second"), put("State", "b", "second")]);
    // The batch waits for the lock once it has been begun: only then does the other program commit.
    const waits =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into%'";
    const observer = await otherProgram(url);
    while ((await observer.query(waits)).rowCount === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await other.query("commit");
    await writing;
    await other.end();
    await observer.end();
    check(text(await engine.get("State", Buffer.from("a"))) === "second", "the batch was lost");
    check(text(await engine.get("State", Buffer.from("b"))) === "second", "half of the batch was lost");
    check(conflicts() > 0, "there was no conflict");
    return conflicts();
  });
}

/** A new node, and a way to it on which the server's answers of conflicts (40001) are counted. */
interface Counted {
  readonly engine: Engine;
  readonly url: string;
  /** The URL of the node through the proxy that counts. */
  readonly through: string;
  conflicts(): number;
}

async function countingConflicts<T>(
  server: string,
  node: string,
  work: (counted: Counted) => Promise<T>,
): Promise<T> {
  const url = nodeAt(server, node);
  const { hostname, port } = new URL(url);
  const proxy = await TcpProxy.to(hostname, Number(port));
  let conflicts = 0;
  proxy.toClient = (piece) => {
    conflicts += piece.toString("latin1").split("C40001\0").length - 1;
    return "forward";
  };
  try {
    return await withNode(url, openPostgresEngine(url, { create: true, columns: ["State"] }), (engine) =>
      work({ engine, url, through: proxy.through(url), conflicts: () => conflicts }),
    );
  } finally {
    await proxy.close();
  }
}
