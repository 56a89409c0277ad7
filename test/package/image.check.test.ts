/** The Dockerfile: its instructions, the files that it copies, and its health check, run as in the image. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixturePath } from "../support/fixtures.js";

const root = join(import.meta.dirname, "../..");
const instructions = readFileSync(join(root, "Dockerfile"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return { name, rest };
  });

const one = (name: string): string => instructions.findLast((line) => line.name === name)?.rest ?? "";

it("has one instruction in each line, those that Docker has", () => {
  const known = ["FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "HEALTHCHECK", "ENTRYPOINT", "CMD"];
  expect(instructions.filter(({ name }) => !known.includes(name))).toEqual([]);
  expect(instructions[0]?.name).toBe("FROM");
  for (const text of [one("ENTRYPOINT"), one("CMD"), one("HEALTHCHECK").replace(/^.* CMD /, "")])
    expect(JSON.parse(text), text).toEqual(expect.arrayContaining([expect.any(String)]));
});

it("copies from a stage that it has, and what the build writes", () => {
  const stages = instructions.flatMap(({ name, rest }) =>
    name === "FROM" ? (rest.split(" AS ")[1] ?? []) : [],
  );
  const copied = instructions.filter(({ name, rest }) => name === "COPY" && rest.startsWith("--from="));
  expect(copied.map(({ rest }) => /^--from=(\w+) (\S+)/.exec(rest)?.slice(1, 3))).toEqual([
    [stages[0], "/tmp/merostore.tgz"],
  ]);
  expect(instructions.find(({ name }) => name === "RUN")?.rest).toContain("npm pack --pack-destination /tmp");
});

it("is healthy where verify finds no error, and not where it finds one", () => {
  const [program, ...words] = JSON.parse(one("HEALTHCHECK").replace(/^.* CMD /, "")) as string[];
  const [name = ""] = one("ENV").split("=");
  expect([program, name, JSON.parse(one("ENTRYPOINT"))]).toEqual([
    "merostore",
    "MEROSTORE_DB",
    ["merostore"],
  ]);
  const statusOf = (database: string): number | null =>
    spawnSync(process.execPath, [join(root, "dist/cli/merostore.js"), ...words], {
      env: { [name]: fixturePath(database, "db") },
    }).status;
  expect(statusOf("core-0.11/node-c")).toBe(0);
  expect(statusOf("core-1.0/every-kind")).toBe(1);
});
