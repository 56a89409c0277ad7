/** A place on disk whose databases' writes are written down, to be made again without the ledger. */
import { ClassicLevel } from "classic-level";
import type { Engine, WriteOperation, WriteOptions } from "../../../src/engine/engine.js";
import { folderPlace } from "../src/places/folder-place.js";
import type { Place } from "../src/places/place.js";

export interface Batch {
  readonly operations: readonly WriteOperation[];
  readonly options: WriteOptions | undefined;
}

/** The writes of the pages that are opened in a place go to `batches` too. */
export function recordingPlace(folder: string, batches: Batch[]): Place {
  const place = folderPlace(folder, "leveldb");
  return {
    openUsage: () => place.openUsage(),
    ledgers: () => place.ledgers(),
    pages: (ledger) => place.pages(ledger),
    deletePage: (ledger, page) => place.deletePage(ledger, page),
    async openPage(ledger, page, options) {
      const engine = await place.openPage(ledger, page, options);
      return engine && recording(engine, batches);
    },
  };
}

function recording(engine: Engine, batches: Batch[]): Engine {
  return new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const method = value.bind(target) as (...words: unknown[]) => unknown;
      if (name !== "write") return method;
      return (operations: readonly WriteOperation[], options?: WriteOptions) => {
        batches.push({ operations, options });
        return method(operations, options);
      };
    },
  });
}

/** Makes batches with `classic-level` alone. */
export async function replay(folder: string, batches: readonly Batch[]): Promise<void> {
  const level = new ClassicLevel<Uint8Array, Uint8Array>(folder, {
    keyEncoding: "view",
    valueEncoding: "view",
  });
  await level.open();
  for (const { operations, options } of batches) {
    const list = operations.map((operation) => {
      if (operation.type === "put")
        return { type: "put" as const, key: operation.key, value: operation.value };
      if (operation.type === "delete") return { type: "del" as const, key: operation.key };
      throw new Error("a ledger deletes no ranges");
    });
    await level.batch(list, { sync: options?.sync ?? false });
  }
  await level.close();
}
