/** The contract of engines, without a test framework: each test is run, and counted. */
import { type EngineFactory, engineConformance } from "../../../../src/engine/conformance/index.js";
import type { Engine } from "../../../../src/engines/index.js";
import { openPostgresEngine } from "../../src/index.js";
import { dropNode, nodeAt } from "./rows.js";

export async function runContract(server: string): Promise<string> {
  const urls = new Map<Engine, string>();
  const unused: string[] = [];
  let made = 0;
  const factory: EngineFactory = {
    writable: true,
    async open(columns, operations) {
      const url = nodeAt(server, `contract-${made++}`);
      unused.push(url);
      const engine = await openPostgresEngine(url, { create: true, columns });
      await engine.write(operations);
      urls.set(engine, url);
      return engine;
    },
    reopen: (closed) => openPostgresEngine(urls.get(closed) as string, { writable: true }),
    async cleanup() {
      for (const url of unused.splice(0)) await dropNode(url);
    },
  };
  const tests: (readonly [name: string, test: () => Promise<void>])[] = [];
  const it = (name: string, test: () => Promise<void>) => void tests.push([name, test]);
  engineConformance("postgres", factory, { describe: (_, define) => define(), it });
  for (const [name, test] of tests)
    await test().catch((cause: unknown) => {
      throw new Error(`${name}: ${(cause as Error).message}`, { cause });
    });
  return `${tests.length} tests`;
}
