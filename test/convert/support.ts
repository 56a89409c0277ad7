/** Conversions of the databases that nodes and crates of core-0.10 wrote. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Converted, convertDatabase } from "../../src/convert/index.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";

export const names = ["tables", "node-a", "node-b"] as const;
export type Name = (typeof names)[number];

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

export interface Conversion {
  readonly path: string;
  readonly converted: Converted;
  /** The lines of the file of rows left behind. */
  readonly lines: readonly Line[];
}

export interface Line {
  readonly column: string;
  readonly kind: string | null;
  readonly key: string;
  readonly value?: string;
  readonly lost?: Readonly<Record<string, unknown>>;
  readonly why: string;
}

const made = new Map<string, Promise<Conversion>>();

/** Converts a database once for each file of tests. */
export function conversion(name: Name, asBytes: boolean): Promise<Conversion> {
  const key = `${name}${asBytes ? "-as-bytes" : ""}`;
  let one = made.get(key);
  if (one === undefined) {
    one = convert(name, join(folder.path, key), asBytes);
    made.set(key, one);
  }
  return one;
}

async function convert(name: Name, path: string, asBytes: boolean): Promise<Conversion> {
  const converted = await convertDatabase(source(name), path, { to: "core-0.11", asBytes });
  return { path, converted, lines: linesOf(converted.leftBehind) };
}

export function linesOf(file: string | undefined): readonly Line[] {
  if (file === undefined) return [];
  const text = readFileSync(file, "utf8").trimEnd();
  return text.split("\n").map((line) => JSON.parse(line) as Line);
}

export function source(name: Name): string {
  return fixturePath("core-0.10", name, "db");
}
