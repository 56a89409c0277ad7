import { join } from "node:path";
import type { Engine } from "merostore/engine";
import { expect } from "vitest";
import { temporaryFolder } from "../../../../test/engines/temporary.js";
import { type FolderEngine, FolderPlace, folderEngines } from "../../src/places/folder-place.js";
import { folderPlace, memoryPlace, type Place } from "../../src/places/index.js";
import { COLUMN } from "../../src/rows/row.js";

const encoder = new TextEncoder();

/** A page whose id begins with this text. */
export function pageId(text: string): Uint8Array {
  const id = new Uint8Array(16);
  encoder.encodeInto(text, id);
  return id;
}

/** A repository that can be opened again as after the end of its process. */
export interface Repository {
  place(): Place;
}

/** Every kind of place, by its name. */
export const repositories: readonly (readonly [string, (changed?: Partial<FolderEngine>) => Repository])[] = [
  [
    "memory",
    () => {
      const place = memoryPlace();
      return { place: () => place };
    },
  ],
  ...(["leveldb", "rocksdb"] as const).map((engine) => {
    const make = (changed?: Partial<FolderEngine>): Repository => {
      const folder = join(temporaryFolder(), "repository");
      const files = { ...folderEngines[engine], ...changed };
      return { place: () => (changed ? new FolderPlace(folder, files) : folderPlace(folder, engine)) };
    };
    return [engine, make] as const;
  }),
];

/** A page's database, made if it is missing. */
export async function made(place: Place, ledger: string, page: Uint8Array): Promise<Engine> {
  const engine = await place.openPage(ledger, page, { create: true });
  expect(engine).toBeDefined();
  return engine as Engine;
}

export async function make(place: Place, ledger: string, ...pages: readonly Uint8Array[]): Promise<void> {
  for (const page of pages) await (await made(place, ledger, page)).close();
}

export async function write(engine: Engine, key: string, value: string): Promise<void> {
  const operation = {
    type: "put",
    column: COLUMN,
    key: encoder.encode(key),
    value: encoder.encode(value),
  } as const;
  await engine.write([operation], { sync: true });
}

export async function read(engine: Engine, key: string): Promise<string | undefined> {
  const value = await engine.get(COLUMN, encoder.encode(key));
  return value && new TextDecoder().decode(value);
}
