/** The contract of engines, on a real server. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { type EngineFactory, engineConformance } from "../../../src/engine/conformance/index.js";
import type { Engine } from "../../../src/engines/index.js";
import { openPostgresEngine } from "../src/index.js";
import { PostgresServer } from "./support/postgres-server.js";

let server: PostgresServer;
let made = 0;

beforeAll(async () => {
  server = await PostgresServer.start({ settings: { fsync: "off" } });
});
afterAll(() => server?.stop());

const urls = new WeakMap<Engine, string>();

function postgres(writable: boolean): EngineFactory {
  return {
    writable,
    async open(columns, operations) {
      const url = server.url(`node ${made++}`);
      const writer = await openPostgresEngine(url, { create: true, columns });
      await writer.write(operations);
      if (!writable) await writer.close();
      const engine = writable ? writer : await openPostgresEngine(url);
      urls.set(engine, url);
      return engine;
    },
    reopen: (closed) => openPostgresEngine(urls.get(closed) as string, { writable: true }),
  };
}

engineConformance("postgres", postgres(true), { describe, it });
engineConformance("postgres, read-only", postgres(false), { describe, it });
