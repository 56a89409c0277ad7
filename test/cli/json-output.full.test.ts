/** The output of commands with --json fits the schema that `schema --json-output` prints of them. */
import { describe, expect, it } from "vitest";
import { fixturePath } from "../support/fixtures.js";
import { nodeA, printing, wordsOf } from "./printing.js";
import { cli, linesOf } from "./run.js";

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

/** Commands beside those that print text in other tests. */
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

/** Options of text alone. */
const hasJson = (words: readonly string[]): boolean =>
  !["--graph", "--metadata"].some((word) => words.includes(word));

describe("the JSON of a command fits its schema", () => {
  it.each(
    [...printing.map(wordsOf), ...others].filter(hasJson).map((words) => [words.join(" "), words] as const),
  )("%s", async (_, words) => {
    const name = words[0] === "blobs" ? words.slice(0, 2).join(" ") : (words[0] as string);
    const schema = JSON.parse((await cli("schema", "--json-output", name)).stdout) as Schema;
    const lines = linesOf((await cli(...words, "--json")).stdout);
    expect(lines.length).toBeGreaterThan(0);
    expect([...new Set(lines.flatMap((line) => faults(schema, JSON.parse(line))))]).toEqual([]);
  });
});

it("refuses an unknown command, and finds a wrong value", async () => {
  expect(await cli("schema", "--json-output", "nothing")).toMatchObject({ status: 2, stdout: "" });
  const schema = JSON.parse((await cli("schema", "--json-output", "members")).stdout) as Schema;
  expect(faults(schema, { id: 1 })).toContain("line.role: missing");
  expect(faults(schema, { id: 1 })).toContain("line.id: number, not string");
});
