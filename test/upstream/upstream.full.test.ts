/** The comparison of two versions of Calimero's core, on Rust declarations made from the known revisions. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Codec } from "../../src/codec/index.js";
import { core010, core011, type Schema } from "../../src/schemas/index.js";

const root = new URL("../../", import.meta.url).pathname;
const checkout = mkdtempSync(join(tmpdir(), "merostore-upstream-"));
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

function git(...words: readonly string[]): void {
  const author = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"];
  const { status, stderr } = spawnSync("git", ["-C", checkout, ...author, ...words], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

function write(path: string, text: string): void {
  const file = join(checkout, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const constant = (kind: string) => `${kind.replace(/(?<=[a-z0-9])[A-Z]/g, "_$&").toUpperCase()}_PREFIX`;
const hex = (byte: number) => `0x${byte.toString(16).toUpperCase().padStart(2, "0")}`;
const prefixesOf = (schema: Schema) =>
  schema.rows.flatMap(({ kind, key }) =>
    key.PREFIX === undefined ? [] : [`pub const ${constant(kind)}: u8 = ${hex(key.PREFIX)};`],
  );

/** A type in Rust, as far as its name tells. */
const rustType = (codec: Codec<unknown>) => codec.type ?? codec.shape.is;

function declaration(name: string, codec: Codec<unknown>): string {
  const derive =
    '#[derive(Clone, Debug)]\n#[cfg_attr(feature = "borsh", derive(BorshSerialize, BorshDeserialize))]\n';
  const shape = codec.shape;
  if (shape.is === "struct") {
    const fields = shape.fields.map(
      ([field, of]) => `    /// A {brace} and a comma, in a comment.\n    pub ${field}: ${rustType(of)},`,
    );
    return `${derive}pub struct ${name} {\n${fields.join("\n")}\n}\n`;
  }
  if (shape.is === "enum") {
    const variants = shape.variants.map(
      ([kind, fields]) =>
        `    ${kind} { ${fields.map(([field, of]) => `${field}: ${rustType(of)}`).join(", ")} },`,
    );
    return `${derive}pub enum ${name} {\n${variants.join("\n")}\n}\n`;
  }
  if (shape.is === "names") return `${derive}pub enum ${name} {\n    ${shape.names.join(",\n    ")},\n}\n`;
  return "";
}

/** Declarations with angle brackets before their fields. */
function generic(schema: Schema): string {
  const more = schema === core011 ? ", pub more: (u8, u8)" : "";
  return `#[derive(BorshSerialize)]
pub struct Bound<'a, F: Fn(u8) -> u8> { pub bytes: &'a [u8], pub call: F${more} }
#[derive(BorshSerialize)]
pub(crate) struct Where<F> where F: Fn(u8) { pub call: F${more} }
pub type Clock = [u8; ${schema === core011 ? 16 : 24}];
`;
}

/** Writes a revision as upstream declares it, and commits it under a tag. */
function commit(tag: string, schema: Schema): void {
  write(
    "crates/store/src/db.rs",
    `#[derive(AsRefStr, EnumIter)]\npub enum Column {\n${schema.columns.map((column) => `    /// "${column}", (really)\n    ${column},`).join("\n")}\n}\n`,
  );
  write(
    "crates/store/src/key/group.rs",
    `${prefixesOf(schema).join("\n")}\n#[cfg(test)]\nmod tests { pub const ONLY_IN_TESTS_PREFIX: u8 = 0xFF; }\n`,
  );
  const types = Object.entries(schema.types).map(([name, codec]) => declaration(name, codec));
  write("crates/store/src/types/all.rs", types.join("\n"));
  write("crates/storage/src/row.rs", generic(schema));
  write("crates/server/src/lib.rs", `// no layout comes from here: ${tag}\n`);
  git("add", "-A");
  git("commit", "-qm", tag);
  git("tag", tag);
}

function upstream(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "scripts/upstream.mjs"), checkout, ...words],
    { encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

describe("the comparison of two versions of upstream", () => {
  let stdout: string;
  beforeAll(() => {
    git("init", "-q");
    commit("0.10.1-rc.18", core010);
    commit("0.11.0-rc.25", core011);
    ({ stdout } = upstream("0.10.1-rc.18", "0.11.0-rc.25"));
  });

  it("names every new column family with its place", () => {
    const added = core011.columns.filter((column) => !core010.columns.includes(column));
    expect(added).toHaveLength(11);
    for (const column of added) expect(stdout).toContain(`+ ${core011.columns.indexOf(column)} ${column}\n`);
    expect(stdout).toContain("~ enum Column");
  });

  it("names every new and every changed prefix, and none of tests", () => {
    const [before, after] = [prefixesOf(core010), prefixesOf(core011)];
    const named = (line: string) => line.replace(/^pub (const \w+).*$/, "$1");
    const added = after.filter((line) => !before.some((one) => named(one) === named(line)));
    expect(added.length).toBeGreaterThan(10);
    for (const line of added) expect(stdout).toContain(`+ ${named(line)}\n`);
    expect(stdout).not.toContain("ONLY_IN_TESTS");
  });

  it("names every type that is new or has other members, and no type that is the same", () => {
    let changed = 0;
    for (const [name, codec] of Object.entries(core011.types)) {
      const now = declaration(name, codec);
      if (now === "") continue;
      const old = core010.types[name];
      const named = new RegExp(`[~+] (?:struct|enum) ${name}\n`).test(stdout);
      expect([name, named]).toEqual([name, old === undefined || declaration(name, old) !== now]);
      changed += Number(named);
    }
    expect(changed).toBeGreaterThan(30);
  });

  it("names new fields of generic types, and other lengths behind names of types", () => {
    expect(stdout).toContain("~ struct Bound\n        + 2 more: (u8, u8)\n");
    expect(stdout).toContain("~ struct Where\n        + 1 more: (u8, u8)\n");
    expect(stdout).toContain("~ type Clock\n        - 0 [ u8 ; 24 ]\n        + 0 [ u8 ; 16 ]\n");
  });

  it("names the variants of operations that are new, with their tags", () => {
    expect(stdout).toMatch(/~ enum GroupOp\n[\s\S]*\+ 24 AccountDeviceLinked/);
  });

  it("lists the files to read, and nothing of files that no layout comes from", () => {
    expect(stdout).toContain("read crates/store/src/types/all.rs (+");
    expect(stdout).not.toContain("crates/server");
    expect(stdout).toContain("4 files that layouts come from changed between 0.10.1-rc.18 and 0.11.0-rc.25");
  });
});

describe("its exit status", () => {
  it("is 1 for changes, 0 without, 2 for wrong use", () => {
    expect(upstream("0.10.1-rc.18", "0.11.0-rc.25").status).toBe(1);
    const same = upstream("0.11.0-rc.25", "0.11.0-rc.25");
    expect(same.status).toBe(0);
    expect(same.stdout).toBe(
      "no file that layouts come from changed between 0.11.0-rc.25 and 0.11.0-rc.25\n",
    );
    expect(upstream("no-such-tag", "0.11.0-rc.25").status).toBe(2);
    expect(upstream("a", "b", "c").stderr).toContain("usage: ");
  });
});
