/** Every line of shell in README and in the help of commands runs as it is printed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { otherProgram } from "../../packages/postgres/test/faults/rows.js";
import { PostgresServer } from "../../packages/postgres/test/support/postgres-server.js";
import { serve } from "../engines/files/http/serve.mjs";
import { documentScripts, type Example, helpExamples, shellCommands } from "./examples.js";
import { copyOf, makeTemplate } from "./place.js";

let template = "";
/** The server for URLs without a server: `postgres:///nodes?node=berlin-1`. */
let server: PostgresServer;
beforeAll(async () => {
  template = await makeTemplate();
  server = await PostgresServer.start({ settings: { fsync: "off" } });
  const client = await otherProgram(server.url());
  await client.query("create database nodes");
  await client.end();
});
afterAll(async () => {
  rmSync(template, { recursive: true, force: true });
  await server?.stop();
});

/** Programs that examples pipe into and that some systems lack. */
const OPTIONAL = ["jq", "xxd"];

/** Runs shell commands one after another in a folder. Returns the exit status of each, and the whole stderr. */
async function run(folder: string, commands: readonly string[]) {
  const statuses = join(folder, "statuses");
  const script = [
    "shopt -s expand_aliases; set -o pipefail",
    ...OPTIONAL.map((name) => `command -v ${name} >/dev/null || ${name}() { cat; }`),
    ...commands.map((command) => `${command}\necho $? >> "${statuses}"`),
  ].join("\n");
  const child = spawn("bash", ["-c", script], {
    cwd: folder,
    env: {
      ...process.env,
      ...{ PGHOST: "127.0.0.1", PGPORT: String(server.port), PGUSER: server.user },
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: 280_000,
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  await once(child, "close");
  const found = readFileSync(statuses, "utf8").trimEnd().split("\n").map(Number);
  return { statuses: found, stderr };
}

/** Commands that may answer no: databases differ, are stuck or cannot be upgraded, blobs or pages are elsewhere. */
const MAY_SAY_NO =
  /merostore (diff|hash|stuck|why|migration|upgrade-check|blobs check|ledger evict|ledger diff)|verify .*--blobs/;

/** The web server of examples. */
const WEB_SERVER = "http://127.0.0.1:8080";

async function expectToRun({ text }: Example): Promise<void> {
  const commands = shellCommands(text);
  expect(commands.length).toBeGreaterThan(0);
  using copy = copyOf(template);
  const served = text.includes(WEB_SERVER) ? await serve(join(copy.path, "backups")) : undefined;
  try {
    const { statuses, stderr } = await run(
      copy.path,
      commands.map((command) => command.replaceAll(WEB_SERVER, served?.root ?? WEB_SERVER)),
    );
    const outcomes = commands.map((command, index) => ({ command, status: statuses[index] }));
    const failed = outcomes.filter(
      ({ command, status }) => status !== 0 && !(status === 1 && MAY_SAY_NO.test(command)),
    );
    expect(failed, stderr).toEqual([]);
  } finally {
    served?.close();
  }
}

describe.concurrent("help", () => {
  it.each(helpExamples())("$name", expectToRun);
});

describe.concurrent("documents", () => {
  it.each(documentScripts())("$name", expectToRun);
});
