/** Files of databases, which tests compare and damage. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The bytes of all files of a folder, by name. */
export function filesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

/** The name of the largest table of a database. */
export function largestTable(folder: string): string {
  const size = (name: string) => statSync(join(folder, name)).size;
  const tables = readdirSync(folder).filter((name) => name.endsWith(".sst"));
  return tables.sort((a, b) => size(b) - size(a))[0] as string;
}

/** Turns a bit of a byte of a file: the byte `at`, or where that share of the file ends. */
export function flipBit(file: string, at: number | { readonly share: number }): void {
  const bytes = readFileSync(file);
  const place = typeof at === "number" ? at : Math.floor(bytes.length * at.share);
  bytes[place] = (bytes[place] as number) ^ 1;
  writeFileSync(file, bytes);
}
