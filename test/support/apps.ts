/** Three real nodes with richer applications: their databases at several moments, and their answers then. */
import { cpSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { fromBase58 } from "../../src/bytes/base58.js";
import { toHex } from "../../src/bytes/hex.js";
import type { Json } from "../../src/codec/index.js";
import { fixturePath, temporaryFolder } from "./fixtures.js";

const FOLDER = "core-0.11-apps";

/** A moment of a node: the folder of its database, and the length of the log then. */
interface Moment {
  readonly database: string;
  readonly log: number;
  readonly rows: number;
}

type Names = { readonly [name: string]: string };

const about = readJson("about.json") as unknown as {
  readonly moments: { readonly [name: string]: Moment };
  readonly names: {
    readonly nodes: Names;
    readonly applications: Names;
    readonly namespaces: Names;
    readonly groups: Names;
    readonly contexts: Names;
  };
};

/** Every moment, with the number of rows that its database must have. */
export const appsMoments: readonly { readonly name: string; readonly rows: number }[] = Object.entries(
  about.moments,
).map(([name, { rows }]) => ({ name, rows }));

/** The moments with answers of the node and its applications. */
export const answeredMoments: readonly string[] = appsMoments
  .map(({ name }) => name)
  .filter((name) => name !== "upgrade-pending-n1");

/** A copy of a node's database as it was at a moment, removed when the scope is left. */
export function appsDatabase(name: string): { readonly path: string } & Disposable {
  const { database, log } = momentOf(name);
  const folder = temporaryFolder();
  const path = join(folder.path, "db");
  cpSync(fixturePath(FOLDER, database, "db"), path, { recursive: true });
  for (const file of readdirSync(path)) if (file.endsWith(".log")) truncateSync(join(path, file), log);
  return { path, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** The answers of a node's API by path, as `/groups/<id>/members`. */
export function appsAnswers(name: string): { readonly [path: string]: Json } {
  return readJson(name, "answers.json") as { readonly [path: string]: Json };
}

/** The id of an application, namespace, group, context or node, 64 hex digits. */
export function appsId(kind: keyof typeof about.names, name: string): string {
  const id = about.names[kind][name];
  if (id === undefined) throw new Error(`the fixture has no ${kind} ${name}`);
  return id.length === 64 ? id : toHex(fromBase58(id));
}

/** A file of the fixture. */
export function appsPath(...parts: readonly string[]): string {
  return fixturePath(FOLDER, ...parts);
}

function momentOf(name: string): Moment {
  const moment = about.moments[name];
  if (moment === undefined) throw new Error(`the fixture has no moment ${name}`);
  return moment;
}

function readJson(...parts: readonly string[]): Json {
  return JSON.parse(readFileSync(appsPath(...parts), "utf8")) as Json;
}
