/** A checkout's commands by npm: what a program reads from `npm start --silent --` is only what the command prints. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { cli } from "../cli/run.js";
import { root } from "./examples.js";

function npm(...words: readonly string[]): string {
  // Settings of an npm that runs these tests are not those of a person at a shell.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { status, stdout } = spawnSync("npm", words, { cwd: root, env, encoding: "utf8" });
  expect(status).toBe(0);
  return stdout;
}

it("npm start --silent -- COMMAND prints nothing else", { timeout: 180_000 }, async () => {
  const words = ["export", "fixtures/core-0.11/node-c/db", "--column", "Alias"];
  const rows = (text: string) => text.replaceAll(/"time":"[^"]*"/g, "");
  const { stdout } = await cli(...words);
  expect(rows(npm("start", "--silent", "--", ...words))).toBe(rows(stdout));
});
