/** Without --reveal-secrets no output of any command holds a secret of the fixtures, in whatever form. */
import { describe, expect, it } from "vitest";
import { toBase58 } from "../../src/bytes/base58.js";
import { fromHex } from "../../src/bytes/hex.js";
import type { Json } from "../../src/codec/index.js";
import { openRocksEngine } from "../../src/engines/rocksdb/index.js";
import { isMerostoreError } from "../../src/errors.js";
import { genericScope } from "../../src/keys/generic.js";
import { copyOfDatabase, databases, type FixtureRow, fixtureRows } from "../support/fixtures.js";
import { cli, intoPipe, type Outcome, onTerminal, wordsOf } from "./run.js";

const SECRET_FIELDS = ["privateKey", "senderKey", "groupKey", "kemSecret", "rootSecret"];

/** The secret fields of a decoded value, at any depth. */
function secretFields(value: Json): readonly string[] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap(secretFields);
  return Object.entries(value).flatMap(([name, field]) =>
    SECRET_FIELDS.includes(name) && typeof field === "string" ? [field] : secretFields(field as Json),
  );
}

/** Everything secret in a row, in hex. */
function secretsOf({ kind, parts, value, decoded = null }: FixtureRow): readonly string[] {
  switch (kind) {
    case null:
    case "ContextPrivateState":
      return [value];
    case "Generic":
      return genericScope(fromHex(parts?.scope as string))?.secret === false ? [] : [value];
    case "GroupKeyEntry":
      return typeof decoded === "string" ? [value, decoded] : secretFields(decoded);
    default:
      return secretFields(decoded);
  }
}

/** The forms in which output might show bytes: whole, and the beginning and end of long ones. */
function formsOf(hex: string): readonly string[] {
  const bytes = fromHex(hex);
  const base64 = Buffer.from(bytes).toString("base64");
  return [
    hex.slice(0, 32),
    hex.slice(-32),
    ...(bytes.length <= 64 ? [toBase58(bytes)] : []),
    base64.slice(0, 20),
    Buffer.from(bytes).toString("latin1").slice(0, 16),
    // An error may show them as a length; short numbers are everywhere.
    ...[`${Buffer.from(bytes).readUInt32LE(0)} `].filter((number) => number.length > 8),
  ];
}

/** Returns whether bytes are too few to search for, or a pattern that the ids and hashes of the tests also have. */
function isPattern(hex: string): boolean {
  return hex.length < 32 || /^(..)\1*(..)?$/.test(hex) || new Set(hex.slice(0, 32).match(/../g)).size < 6;
}

function expectNone(forms: ReadonlySet<string>, { stdout, stderr }: Outcome, what: string): void {
  for (const [stream, text] of [
    ["stdout", stdout],
    ["stderr", stderr],
  ] as const) {
    const found = [...forms].filter((form) => text.includes(form));
    expect(found.length, `secrets on ${stream} of ${what}`).toBe(0);
  }
}

/** A run whose refusal is an outcome too. */
async function attempt(run: Promise<Outcome>): Promise<Outcome> {
  try {
    return await run;
  } catch (error) {
    if (!isMerostoreError(error)) throw error;
    return { status: 2, stdout: "", stderr: error.message };
  }
}

describe.each(databases.filter(({ name }) => name.endsWith("log-and-tables")))(
  "$name",
  ({ name, schema }) => {
    const rows = fixtureRows(name);
    const secretRows = rows.filter((row) => secretsOf(row).some((secret) => !isPattern(secret)));
    // A value in a key or in another row too is not a secret: ids that begin private index rows, for example.
    const shown = rows
      .map((row) =>
        secretsOf(row).length === 0 ? JSON.stringify(row) : `${row.key} ${JSON.stringify(row.parts)}`,
      )
      .join("\n");
    const forms = new Set(
      secretRows
        .flatMap((row) =>
          secretsOf(row)
            .filter((secret) => !isPattern(secret))
            .flatMap(formsOf),
        )
        .filter((form) => !shown.includes(form)),
    );
    const kinds = [...new Set(secretRows.map(({ kind }) => kind))];

    it("has secrets in every kind of row that may hold one", () => {
      const present = new Set(rows.map(({ kind }) => kind));
      const expected = schema.rows
        .filter((row) => row.value.secret && present.has(row.kind))
        .map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining([...expected, "Generic"]));
      expect(forms.size).toBeGreaterThan(100);
    });

    it("the search finds them when they are shown", async () => {
      using copy = copyOfDatabase(name);
      const { stdout } = await cli("scan", "--json", copy.path, "--reveal-secrets");
      for (const row of secretRows) expect(stdout).toContain(row.value);
      expect(() => expectNone(forms, { status: 0, stdout, stderr: "" }, "scan")).toThrow("secrets on stdout");
    });

    it("scan, info, tour and verify show none", async () => {
      using copy = copyOfDatabase(name);
      for (const words of [["scan"], ["scan", "--base58"], ["status", "--rows"], ["status"], ["verify"]]) {
        const all = [words[0] as string, copy.path, ...words.slice(1), "--revision", schema.name];
        expectNone(forms, await intoPipe(...all), all.join(" "));
        expectNone(forms, await onTerminal(...all), all.join(" "));
      }
      expectNone(forms, await cli("scan", "--json", copy.path), "scan");
    });

    it("get shows none", async () => {
      using copy = copyOfDatabase(name);
      for (const kind of kinds) {
        const row = secretRows.find((row) => row.kind === kind) as FixtureRow;
        const words = kind === null ? ["--column", row.column, "--key", row.key] : wordsOf(row);
        expectNone(forms, await intoPipe("show", "--json", copy.path, ...words), `show ${kind}`);
        expectNone(forms, await onTerminal("show", copy.path, ...words, "--base58"), `show ${kind}`);
      }
    });

    it("explain shows none, of whole, truncated and overlong values", async () => {
      for (const { column, key, value, kind } of secretRows) {
        for (const hex of [value, value.slice(0, -2), value.slice(0, 40), `${value}00`]) {
          for (const form of [[], ["--json"]]) {
            const words = ["explain", column, key, hex, "--revision", schema.name, ...form];
            expectNone(forms, await intoPipe(...words), `explain ${kind}`);
          }
        }
      }
    });

    it("rows whose value does not decode show none", async () => {
      using copy = copyOfDatabase(name);
      {
        await using engine = await openRocksEngine(copy.path, { writable: true });
        await engine.write(
          secretRows.map(({ column, key, value }) => ({
            type: "put",
            column,
            key: fromHex(key),
            value: fromHex(`${value}00`),
          })),
        );
      }
      for (const run of [cli, onTerminal])
        for (const command of ["scan", "verify"])
          expectNone(forms, await run(command, copy.path, "--revision", schema.name), command);
    });

    it("findings about secrets show none", async () => {
      using copy = copyOfDatabase(name);
      {
        await using engine = await openRocksEngine(copy.path, { writable: true });
        // One bit of each secret is turned: ids and public keys no longer fit it.
        await engine.write(
          secretRows.map(({ column, key, value }) => {
            const bytes = fromHex(value);
            bytes[Math.min(31, bytes.length - 1)] = (bytes[Math.min(31, bytes.length - 1)] as number) ^ 1;
            return { type: "put", column, key: fromHex(key), value: bytes };
          }),
        );
      }
      for (const run of [intoPipe, onTerminal]) {
        const outcome = await run("verify", copy.path, "--revision", schema.name);
        expectNone(forms, outcome, "verify");
      }
    });

    it("errors of put show none", async () => {
      using copy = copyOfDatabase(name);
      for (const kind of kinds.filter((kind) => kind !== null)) {
        const row = secretRows.find((row) => row.kind === kind) as FixtureRow;
        const json = row.decoded ?? null;
        const values = [
          ["--value-hex", `${row.value}0`],
          ["--value-hex", `${row.value}zz`],
          ["--value", `${JSON.stringify(json)}}`],
          ["--value", JSON.stringify({ value: json })],
          ["--value", JSON.stringify([json])],
          ["--value", JSON.stringify(json).replace(/"([0-9a-f]{32,})"/g, '"$1ff0"')],
        ];
        for (const value of values) {
          const outcome = await attempt(
            intoPipe("put", copy.path, ...wordsOf(row), ...value, "--revision", schema.name),
          );
          expect(outcome.status, `put ${kind} ${value[0]}`).toBe(2);
          expectNone(forms, outcome, `put ${kind}`);
        }
      }
    });
  },
);
