/**
 * The engine contract as tests: run it against every engine, including your own. It needs only `describe` and `it` of a
 * test framework.
 *
 * @module
 */

import { checkArgument, hasMembers } from "../../options.js";
import type { Engine, EngineSnapshot } from "../engine.js";
import { argumentsBehaviour, readerArgumentsBehaviour } from "./arguments.js";
import { getBehaviour } from "./get.js";
import { lifecycleBehaviour, readerLifecycleBehaviour } from "./lifecycle.js";
import { scanBehaviour } from "./scan.js";
import { snapshotBehaviour } from "./snapshot.js";
import {
  type EngineBehaviour,
  type EngineFactory,
  type ReaderBehaviour,
  type ReaderFactory,
  readerTest,
  type TestApi,
} from "./suite.js";
import { writeBehaviour } from "./write.js";

export type { ClosableReader, EngineFactory, ReaderFactory, TestApi } from "./suite.js";

const reading: Readonly<Record<string, ReaderBehaviour>> = {
  get: getBehaviour,
  scan: scanBehaviour,
  "arguments of reads": readerArgumentsBehaviour,
  "lifecycle of reads": readerLifecycleBehaviour,
};

/**
 * Registers the whole contract as tests of one engine.
 *
 * @param name the name of the group of tests
 * @param factory opens the tested engines
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
  checkArgument("engineConformance", factory, hasMembers("a factory of engines", "open"));
  checkArgument("engineConformance", api, hasMembers("functions that register tests", "describe", "it"));
  const test = readerTest(factory, api);
  const behaviours: Readonly<Record<string, EngineBehaviour>> = {
    ...(factory.writable ? { write: writeBehaviour } : {}),
    snapshot: snapshotBehaviour,
    lifecycle: lifecycleBehaviour,
    arguments: argumentsBehaviour,
  };
  api.describe(`engine contract: ${name}`, () => {
    for (const [title, behaviour] of Object.entries(reading))
      api.describe(title, () => behaviour(test, factory));
    for (const [title, behaviour] of Object.entries(behaviours))
      api.describe(title, () => behaviour(test, factory));
    for (const [what, snapshots] of Object.entries(snapshotsOf(factory)))
      api.describe(`lifecycle of reads of ${what}`, () =>
        readerLifecycleBehaviour(readerTest(snapshots, api), snapshots),
      );
  });
}

/** Snapshots as readers, closed by themselves or with their engine. */
function snapshotsOf(factory: EngineFactory): Readonly<Record<string, ReaderFactory>> {
  const closedBy = (close: (engine: Engine, snapshot: EngineSnapshot) => Promise<void>): ReaderFactory => ({
    ...factory,
    async open(columns, operations) {
      const engine = await factory.open(columns, operations);
      const snapshot = await engine.snapshot();
      return {
        columns: snapshot.columns,
        get isClosed() {
          return snapshot.isClosed;
        },
        get: (column, key) => snapshot.get(column, key),
        getMany: (column, keys) => snapshot.getMany(column, keys),
        scan: (column, range, options) => snapshot.scan(column, range, options),
        close: () => close(engine, snapshot),
      };
    },
  });
  return {
    "snapshots that are closed": closedBy(async (engine, snapshot) => {
      await snapshot.close();
      await engine.close();
    }),
    "snapshots whose engine is closed": closedBy((engine) => engine.close()),
  };
}

/**
 * Registers the part of the contract about reading, for any reader such as a snapshot or a view.
 *
 * @param name the name of the group of tests
 * @param factory opens the tested readers
 * @param api `describe` and `it` of any test framework
 */
export function readerConformance(name: string, factory: ReaderFactory, api: TestApi): void {
  checkArgument("readerConformance", factory, hasMembers("a factory of readers", "open"));
  checkArgument("readerConformance", api, hasMembers("functions that register tests", "describe", "it"));
  const test = readerTest(factory, api);
  api.describe(`reading contract: ${name}`, () => {
    for (const [title, behaviour] of Object.entries(reading))
      api.describe(title, () => behaviour(test, factory));
  });
}
