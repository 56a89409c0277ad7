/** The output of commands with --json fits the schema that `schema --json-output` prints of them. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { CommandGroup } from "../../src/cli/arguments/command.js";
import { merostore as program } from "../../src/cli/program.js";
import { GroupDefaultCaps } from "../../src/keys/index.js";
import { copyOfNode } from "../blobs/fixtures.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { ToldWriter } from "../support/told-writer.js";
import { nodeA, printing, wordsOf } from "./printing.js";
import { cli, linesOf } from "./run.js";
import { watching } from "./watch/watching.js";

interface Schema {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
}

/** The places of a value that do not fit a schema. Only the words that the schemas use are known. */
function faults(schema: Schema, value: unknown, path = "line"): readonly string[] {
  if (schema.anyOf !== undefined)
    return schema.anyOf.some((one) => faults(one, value, path).length === 0) ? [] : [`${path}: fits none`];
  if (schema.enum !== undefined) return schema.enum.includes(value) ? [] : [`${path}: another word`];
  if (schema.type === undefined) return [];
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  if (type !== schema.type) return [`${path}: ${type}, not ${schema.type}`];
  if (Array.isArray(value))
    return value.flatMap((one, at) => faults(schema.items as Schema, one, `${path}[${at}]`));
  if (type !== "object") return [];
  const fields = value as Readonly<Record<string, unknown>>;
  const missing = (schema.required as readonly string[]).filter((name) => !(name in fields));
  const wrong = Object.entries(fields).flatMap(([name, one]) => {
    const of = schema.properties?.[name] ?? schema.additionalProperties;
    return of === undefined || of === false
      ? [`${path}.${name}: unknown`]
      : faults(of, one, `${path}.${name}`);
  });
  return [...missing.map((name) => `${path}.${name}: missing`), ...wrong];
}

const everyKind = fixturePath("core-0.11/every-kind-log", "db");

/** Commands beside the list `printing`. */
const others = [
  ["status", nodeA, "--files"],
  ["status", everyKind],
  ["groups", everyKind],
  ["verify", nodeA, "--list"],
  ["metrics", nodeA],
  ["unknown", nodeA],
  ["schema"],
  ["schema", "GroupMember"],
  ["schema", "--compare", "core-0.10", "core-0.11"],
  ["decode", "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443"],
  ["explain", "--type", "GroupDefaultCapsValue", "04000000"],
  ["put", nodeA, "GroupDefaultCaps", "groupId=office", "--value", '{"capabilities":4}', "--dry-run"],
  ["delete", nodeA, "Alias", "aliasKind=context", "scope=none", "name=lobby", "--dry-run"],
  ["show", nodeA, "5286d9f4"],
  ["show", nodeA, "f634f3c7"],
  ["diff", nodeA, everyKind, "--by", "group"],
  ["diff", nodeA, fixturePath("core-0.11/node-b", "db"), "--at", "2026-11-21T05:51:40Z"],
];

const nodeB = fixturePath("core-0.11/node-b", "db");
const node = await copyOfNode();
await node.store.close();
const temporary = temporaryFolder();
afterAll(async () => {
  temporary[Symbol.dispose]();
  await node[Symbol.asyncDispose]();
});
const at = (name: string): string => join(temporary.path, name);
cpSync(nodeA, at("data"), { recursive: true });
writeFileSync(at("key"), "7f".repeat(32));
writeFileSync(at("key2"), "5a".repeat(32));
writeFileSync(at("file"), "content");
const BLOB = (await cli("blobs", "put", node.home, at("file"))).stdout.trim();

/** More commands that read, and those that write, in the order in which they have to run. */
const rest = [
  ["stuck", fixturePath("core-0.11/log", "db")],
  ["state", nodeA, "lobby"],
  ["state", nodeA, "lobby", "--at", "20"],
  ["state", nodeA, "lobby", "items.a10"],
  ["abi", fixturePath("core-0.11-apps", "abi", "blobs.json")],
  ["minimise", nodeA, fixturePath("core-0.11/node-c", "db"), "lobby"],
  ["blobs", "put", node.home, at("file")],
  ["blobs", "check", node.home],
  ["blobs", "delete", node.home, BLOB],
  ["blobs", "collect", node.home],
  ["db", "copy", at("data"), at("copy")],
  ["db", "convert", fixturePath("core-0.10/node-a", "db"), at("newer"), "--to", "core-0.11"],
  ["db", "encrypt", at("data"), at("sealed"), "--key-file", at("key")],
  ["db", "rekey", at("sealed"), at("again"), "--key-file", at("key"), "--new-key-file", at("key2")],
  ["db", "decrypt", at("again"), at("open"), "--key-file", at("key2")],
  ["recover", at("data"), at("recovered")],
  ["restore", "--context", "lobby", nodeB, at("data"), "--dry-run"],
];

/** Options of text alone. */
const hasJson = (words: readonly string[]): boolean =>
  !["--graph", "--metadata"].some((word) => words.includes(word));

const all = [...printing.map(wordsOf), ...others, ...rest].filter(hasJson);
const nameOf = ([first = "", second = ""]: readonly string[]): string =>
  ["blobs", "db"].includes(first) ? `${first} ${second}` : first;

/** The commands with --json, by their words. */
function withJson({ commands }: CommandGroup, path = ""): string[] {
  return commands.flatMap((one) => {
    if ("commands" in one) return withJson(one, `${path}${one.name} `);
    return "json" in one.options ? [`${path}${one.words.split(" ", 1)[0]}`] : [];
  });
}

describe("the JSON of a command fits its schema", () => {
  it.each(all.map((words) => [words.join(" ").replaceAll(temporary.path, "…"), words] as const))(
    "%s",
    async (_, words) => {
      const schema = JSON.parse((await cli("schema", "--json-output", nameOf(words))).stdout) as Schema;
      // The value at a path has its own form.
      const isAny = words[0] === "state" && words[3]?.startsWith("-") === false;
      const anyOf = isAny ? schema.anyOf : schema.anyOf?.filter(({ type }) => type !== undefined);
      const lines = linesOf((await cli(...words, "--json")).stdout);
      expect(lines.length).toBeGreaterThan(0);
      const exact = anyOf === undefined ? schema : { ...schema, anyOf };
      expect([...new Set(lines.flatMap((line) => faults(exact, JSON.parse(line))))]).toEqual([]);
    },
  );

  it("watch", async () => {
    const schema = JSON.parse((await cli("schema", "--json-output", "watch")).stdout) as Schema;
    const writer = await ToldWriter.start(at("data"));
    const watch = await watching(at("data"), "--json");
    const key = new GroupDefaultCaps({ groupId: new Uint8Array(32) }).bytes;
    await writer.write([
      { type: "put", column: "Group", key, value: Uint8Array.of(4, 0, 0, 0) },
      { type: "delete", column: "Group", key },
    ]);
    await watch.until(2);
    await watch.end();
    await writer.stop();
    expect(watch.lines().flatMap((line) => faults(schema, line))).toEqual([]);
  });

  it("of every command but those with tests of their own", () => {
    const missing = withJson(program).filter((name) => !all.some((words) => nameOf(words) === name));
    expect(missing).toEqual(["watch", "sql"]);
  });

  it.each(withJson(program))("%s has a schema with fields", async (name) => {
    const schema = JSON.parse((await cli("schema", "--json-output", name)).stdout) as Schema;
    expect((schema.anyOf ?? [schema]).some(({ type }) => type === "object")).toBe(true);
  });
});

it("takes a command of two words without quotes", async () => {
  const quoted = await cli("schema", "--json-output", "db copy");
  expect(quoted.status).toBe(0);
  expect(await cli("schema", "--json-output", "db", "copy")).toEqual(quoted);
  expect((await cli("schema", "--json-output", "verify", "copy")).stderr).toContain(
    'no command "verify copy" has --json; these have it: abi, ',
  );
});

it("refuses an unknown command, and finds a wrong value", async () => {
  expect(await cli("schema", "--json-output", "nothing")).toMatchObject({ status: 2, stdout: "" });
  const schema = JSON.parse((await cli("schema", "--json-output", "members")).stdout) as Schema;
  expect(faults(schema, { id: 1 })).toContain("line.role: missing");
  expect(faults(schema, { id: 1 })).toContain("line.id: number, not string");
});
