/** Files of databases, which tests compare and damage. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The bytes of all files of a folder, by name. */
export function filesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

/** The bytes of all files of a folder without folders, as an engine in memory takes them. */
export function contentsOf(folder: string): Map<string, Uint8Array> {
  return new Map(readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
}

const namesIn = (folder: string, pattern: RegExp) =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();

/** The names of a database's tables. */
export const tablesOf = (folder: string): string[] => namesIn(folder, /\.sst$/);

/** The names of a database's write-ahead logs, oldest first. */
export const logsOf = (folder: string): string[] => namesIn(folder, /^\d+\.log$/);

/** The path of the MANIFEST that CURRENT names. */
export const manifestOf = (folder: string): string =>
  join(folder, readFileSync(join(folder, "CURRENT"), "latin1").trim());

/** The path of the newest OPTIONS file. */
export const optionsOf = (folder: string): string =>
  join(folder, namesIn(folder, /^OPTIONS-/).at(-1) as string);

/** The name of the largest table of a database. */
export function largestTable(folder: string): string {
  const size = (name: string) => statSync(join(folder, name)).size;
  return tablesOf(folder).sort((a, b) => size(b) - size(a))[0] as string;
}

/** Turns a bit of a byte of a file: the byte `at`, or where that share of the file ends. */
export function flipBit(file: string, at: number | { readonly share: number }): void {
  const bytes = readFileSync(file);
  const place = typeof at === "number" ? at : Math.floor(bytes.length * at.share);
  bytes[place] = (bytes[place] as number) ^ 1;
  writeFileSync(file, bytes);
}
