/** `npm test` is quick: files that start processes or threads belong to the full suite. No test decides by time. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../", import.meta.url).pathname;

const files = ["test", "packages/explorer/test", "packages/ledger/test", "packages/postgres/test"].flatMap(
  (folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
);

it("no test has a time limit of its own, or expects a time", () => {
  const timed = files
    .filter((file) => file.endsWith(".test.ts") && file !== "test/suites.test.ts")
    .filter((file) =>
      /, \{\s*timeout: [\d_A-Z]+,?\s*\},|expect\([^;]*\b(?:performance|Date)\.now\(\)/.test(
        readFileSync(`${root}${file}`, "utf8"),
      ),
    );
  expect(timed).toEqual([]);
});

it("no quick test starts a process or a thread", () => {
  const slow = files
    .filter((file) => /(?<!\.full|\.check)\.test\.ts$/.test(file) && file !== "test/suites.test.ts")
    .filter((file) =>
      /node:child_process|node:worker_threads|\bcliProcess\b|\bworkerThreads\(|\/(?:beside|postgres-server)\.js"/.test(
        readFileSync(`${root}${file}`, "utf8"),
      ),
    );
  expect(slow).toEqual([]);
});
