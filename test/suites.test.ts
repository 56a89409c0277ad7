/** `npm test` is quick: files that start processes or threads belong to the full suite. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../", import.meta.url).pathname;

it("no quick test starts a process or a thread", () => {
  const files = ["test", "packages/explorer/test", "packages/ledger/test", "packages/postgres/test"].flatMap(
    (folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map(
        (name) => `${folder}/${name}`,
      ),
  );
  const slow = files
    .filter((file) => /(?<!\.full|\.check)\.test\.ts$/.test(file) && file !== "test/suites.test.ts")
    .filter((file) =>
      /node:child_process|node:worker_threads|\bcliProcess\b|\bworkerThreads\(|\/(?:beside|postgres-server)\.js"/.test(
        readFileSync(`${root}${file}`, "utf8"),
      ),
    );
  expect(slow).toEqual([]);
});
