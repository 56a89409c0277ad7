/** Rows and numbers for the questions about PostgreSQL. */
import pg from "pg";
import type { Engine, EngineReader, WriteOperation } from "../../../../src/engines/index.js";

export const COLUMNS = ["State", "Group", 'of.an unknown "kind"'] as const;

/** Numbers from 0 to below 1: the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : Buffer.from(value).toString("utf8");
}

export function bytes(value: string): Uint8Array {
  return new Uint8Array(Buffer.from(value));
}

export function put(column: string, key: string, value: string): WriteOperation {
  return { type: "put", column, key: bytes(key), value: bytes(value) };
}

/** All rows of a reader as text, one a line. */
export async function linesOf(reader: EngineReader): Promise<string[]> {
  const lines: string[] = [];
  for (const column of reader.columns)
    for await (const { key, value } of reader.scan(column))
      lines.push(`${column} ${Buffer.from(key).toString("hex")} ${Buffer.from(value).toString("hex")}`);
  return lines;
}

/** The code of the error that a promise rejects with; undefined if it does not. */
export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error);
  }
}

export function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/** Another program on the same server. */
export async function otherProgram(url: string): Promise<pg.Client> {
  const plain = new URL(url);
  plain.searchParams.delete("node");
  const client = new pg.Client(plain.href);
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Removes the schema of a node from the server. */
export async function dropNode(url: string): Promise<void> {
  const node = new URL(url).searchParams.get("node") ?? "default";
  const client = await otherProgram(url);
  await client.query(`drop schema if exists ${client.escapeIdentifier(`merostore_${node}`)} cascade`);
  await client.end();
}

/** The URL of another node on the same server. */
export function nodeAt(url: string, node: string): string {
  const changed = new URL(url);
  changed.searchParams.set("node", node);
  return changed.href;
}

/** Opens an engine for `work`, closes it, and removes the node. */
export async function withNode<T>(
  url: string,
  engine: Promise<Engine>,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const opened = await engine;
  try {
    return await work(opened);
  } finally {
    await opened.close();
    await dropNode(url);
  }
}
