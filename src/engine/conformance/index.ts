/**
 * The engine contract as tests: run it against every engine, your own included. It needs no test framework but a
 * `describe` and an `it`.
 *
 * @module
 */

import { argumentsBehaviour } from "./arguments.js";
import { getBehaviour } from "./get.js";
import { lifecycleBehaviour } from "./lifecycle.js";
import { scanBehaviour } from "./scan.js";
import { snapshotBehaviour } from "./snapshot.js";
import { type EngineFactory, engineTest, type TestApi } from "./suite.js";
import { writeBehaviour } from "./write.js";

export type { EngineFactory, TestApi } from "./suite.js";

/**
 * Registers the whole contract as tests of one engine.
 *
 * @param name what the tests are called by
 * @param factory makes the engines that are tested
 * @param api `describe` and `it` of any test framework
 * @example
 *     import { describe, it } from "node:test";
 *     engineConformance("memory", {
 *       writable: true,
 *       open: async (columns, operations) => {
 *         const engine = openMemoryEngine({ columns });
 *         await engine.write(operations);
 *         return engine;
 *       },
 *     }, { describe, it });
 */
export function engineConformance(name: string, factory: EngineFactory, api: TestApi): void {
  const test = engineTest(factory, api);
  const behaviours = {
    get: getBehaviour,
    scan: scanBehaviour,
    ...(factory.writable ? { write: writeBehaviour } : {}),
    snapshot: snapshotBehaviour,
    lifecycle: lifecycleBehaviour,
    arguments: argumentsBehaviour,
  };
  api.describe(`engine contract: ${name}`, () => {
    for (const [title, behaviour] of Object.entries(behaviours)) {
      api.describe(title, () => behaviour(test, factory, api));
    }
  });
}
