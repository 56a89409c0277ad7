/** The databases of a command that takes several, and their names. */
import { resolve } from "node:path";
import type { Store } from "../../store/index.js";
import { type DatabaseOptions, openDatabase } from "../database/database.js";
import type { Terminal } from "../output/terminal.js";

/** The names that nodes give to the folder of their database. */
const GENERIC = ["data", "db"];

/** Opens databases for reading, and closes them when `work` is done. */
export async function withDatabases<T>(
  terminal: Terminal,
  paths: readonly string[],
  options: DatabaseOptions,
  work: (stores: readonly Store[]) => Promise<T>,
  opened: readonly Store[] = [],
): Promise<T> {
  const [path, ...rest] = paths;
  if (path === undefined) return work(opened);
  await using store = await openDatabase(terminal, path, options);
  return await withDatabases(terminal, rest, options, work, [...opened, store]);
}

/**
 * A unique name for each database: the last part of its path before `data` or `db`, or more parts if needed. A repeated
 * path gets a number.
 */
export function databaseNames(paths: readonly string[]): readonly string[] {
  const whole = paths.map(partsOf);
  const short = whole.map(withoutGeneric);
  return uniqueEnds(short) ?? uniqueEnds(whole) ?? short.map((all, at) => `${all.at(-1) ?? ""}#${at + 1}`);
}

/** The shortest ends of paths that differ; undefined if two paths are the same. */
function uniqueEnds(parts: readonly (readonly string[])[]): readonly string[] | undefined {
  const deepest = Math.max(...parts.map(({ length }) => length));
  for (let depth = 1; depth <= deepest; depth++) {
    const names = parts.map((all) => all.slice(-depth).join("/"));
    if (new Set(names).size === names.length) return names;
  }
  return undefined;
}

/** A path without the folder of a node's database, whose name all nodes share. */
function withoutGeneric(parts: readonly string[]): readonly string[] {
  const isGeneric = parts.length > 1 && GENERIC.includes(parts.at(-1) as string);
  return isGeneric ? parts.slice(0, -1) : parts;
}

/** The databases for SQL, and their names. A single database has no name. */
export function named(
  paths: readonly string[],
  stores: readonly Store[],
): { readonly names: readonly string[]; readonly asked: Store | Readonly<Record<string, Store>> } {
  const [only] = stores;
  if (stores.length === 1 && only !== undefined) return { names: [""], asked: only };
  const names = databaseNames(paths);
  return { names, asked: Object.fromEntries(stores.map((store, at) => [names[at] as string, store])) };
}

function partsOf(path: string): readonly string[] {
  const parts = /^[a-z][a-z+.-]*:\/\//i.test(path) ? partsOfUrl(path) : resolve(path).split(/[/\\]/);
  return parts.filter((part) => part !== "");
}

/** Returns the host, the path and the node of a URL, without its user and password. */
function partsOfUrl(text: string): readonly string[] {
  if (!URL.canParse(text)) return [text.replace(/^.*[@/](?=[^/])/, "")];
  const { host, pathname, searchParams } = new URL(text);
  const node = searchParams.get("node");
  return [host, ...pathname.split("/"), ...(node === null ? [] : [node])];
}
