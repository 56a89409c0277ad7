/** No output of any command has the user, the password or the query of a URL, wherever the URL was typed. */

import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Command, CommandGroup } from "../../../src/cli/arguments/command.js";
import { merostore } from "../../../src/cli/program.js";
import { temporaryFolder } from "../../support/fixtures.js";
import { played, sharedCopy } from "../run.js";

const folder = temporaryFolder();
/** A copy, because some commands write. */
const db = sharedCopy("core-0.11/node-a");
const server = createServer((_, response) => response.writeHead(404).end("nothing"));
let urls: readonly string[];

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  urls = [
    `http://nutzerin:losung@127.0.0.1:${port}/backup/?sig=stempel&x=siegel#marke`,
    `HTTP://nutzerin:lo/sung@127.0.0.1:${port}/backup?sig=stempel+siegel`,
    `postgres://nutzerin:losung@127.0.0.1:${port}/nodes?node=n&sslmode=allow&token=stempel`,
    `s3://nutzerin:losung@bucket/nodes?token=stempel`,
    `ftp://nutzerin:lo sung@bucket/nodes?token=stempel`,
  ];
});
afterAll(() => {
  server.close();
  folder[Symbol.dispose]();
});

function commandsIn(group: CommandGroup, before: readonly string[] = []): (readonly [string[], Command])[] {
  return group.commands.flatMap((one) =>
    "commands" in one
      ? commandsIn(one, [...before, one.name])
      : [[[...before, one.words.split(" ", 1)[0] as string], one] as const],
  );
}

/** A word for an argument that is not the URL. */
function wordFor(name: string): string {
  return /db|dir/.test(name) ? db : join(folder.path, "x");
}

/** These two go on until they are stopped, or read stdin. */
const ENDLESS = ["explore", "sql"];

it.each(
  commandsIn(merostore)
    .filter(([name]) => !ENDLESS.includes(name.join(" ")))
    .map(([name, command]) => [name.join(" "), name, command] as const),
)("%s", async (_, name, command) => {
  const args = command.words.split(" ").slice(1);
  const texts = Object.keys(command.options).filter((one) =>
    ["out", "blobs", "keyFile", "newKeyFile", "abi", "private", "hints", "file"].includes(one),
  );
  for (const url of urls) {
    const lines = args.map((_, place) => args.map((arg, at) => (at === place ? url : wordFor(arg))));
    for (const option of texts)
      lines.push([
        ...args.map(wordFor),
        `--${option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        url,
      ]);
    for (const line of [...lines, ...lines.map((line) => [...line, "--json"])]) {
      const { stdout, stderr } = await played(0, ...name, ...line);
      expect(stdout + stderr, line.join(" ")).not.toMatch(/nutzerin|losung|sung@|stempel|siegel|marke/);
    }
  }
  expect(["http:", "HTTP:", "postgres:", "s3:", "ftp:"].filter(existsSync)).toEqual([]);
});
