/** A server that is killed during batches: each acknowledged one is there, each is there as a whole or not at all. */
import { setTimeout as wait } from "node:timers/promises";
import { openPostgresEngine } from "../../src/index.js";
import type { PostgresServer } from "../support/postgres-server.js";
import { bytes, check, put, text, withNode } from "./rows.js";

const ROWS = 20;
const WRITERS = 3;

export async function killServer(server: PostgresServer, kills: number, random: () => number) {
  const url = server.url("kills");
  const totals = { kills, batches: 0, unknown: 0, notWritten: 0 };
  await withNode(
    url,
    openPostgresEngine(url, { create: true, columns: ["State", "Group"] }),
    async (engine) => {
      const outcomes = new Map<string, string>();
      for (let kill = 0; kill < kills; kill++) {
        let isDown = false;
        const run = async (writer: number): Promise<void> => {
          for (let at = 0; !isDown; at++) {
            const name = `${kill} ${writer} ${at}`;
            outcomes.set(name, await outcomeOf(engine.write(batch(name))));
            if (outcomes.get(name) !== "written") return;
          }
        };
        const writing = Array.from({ length: WRITERS }, (_, writer) => run(writer));
        await wait(20 + 150 * random());
        await server.kill();
        isDown = true;
        await Promise.all(writing);
        await server.restart();
        for (const [name, outcome] of outcomes) {
          const found = await rowsOf(engine, name);
          const expected = { written: [ROWS], COMMIT_UNKNOWN: [0, ROWS] }[outcome] ?? [0];
          check(
            expected.includes(found),
            `batch ${name}: ${outcome}, and ${found} of ${ROWS} rows are there`,
          );
          if (outcome === "written") totals.batches++;
          else if (outcome === "COMMIT_UNKNOWN") totals.unknown++;
          else totals.notWritten++;
        }
        outcomes.clear();
      }
    },
  );
  return totals;
}

function batch(name: string) {
  return Array.from({ length: ROWS }, (_, row) =>
    put(row % 2 === 0 ? "State" : "Group", `${name} ${row}`, name),
  );
}

async function outcomeOf(writing: Promise<void>): Promise<string> {
  try {
    await writing;
    return "written";
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    const known = ["COMMIT_UNKNOWN", "CONNECTION_LOST", "SERVER_UNREACHABLE"];
    check(code !== undefined && known.includes(code), `a write ended with ${code}: ${message}`);
    return code;
  }
}

async function rowsOf(
  engine: { getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> },
  name: string,
): Promise<number> {
  const keys = Array.from({ length: ROWS }, (_, row) => bytes(`${name} ${row}`));
  const found = [...(await engine.getMany("State", keys)), ...(await engine.getMany("Group", keys))];
  return found.filter((value) => text(value) === name).length;
}
