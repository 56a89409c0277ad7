/** The engine contract in Chromium, over its private file system. */
import { describe, expect, it } from "vitest";
import { findChromium, launch } from "../../packages/explorer/test/support/chromium.mjs";
import { type EngineFactory, engineConformance } from "../../src/engine/conformance/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import { cleanUpAfterEach, temporaryFolder } from "../engines/temporary.js";
import { bundle } from "./bundle.mjs";
import { ask, serve } from "./origin.mjs";

cleanUpAfterEach();

/** The number of tests of an engine that can be written. */
function countTests(): number {
  let tests = 0;
  const factory: EngineFactory = {
    writable: true,
    open: async (columns) => openMemoryEngine({ columns }),
    reopen: async (closed) => closed,
  };
  engineConformance("memory", factory, { describe: (_, define) => define(), it: () => tests++ });
  return tests;
}

const chromium = findChromium();

describe.skipIf(chromium === undefined)("the private file system of Chromium", () => {
  it("has an engine that keeps the whole contract", async () => {
    const { code } = await bundle("test/browser/conformance.mjs");
    const browser = await launch(chromium as string, temporaryFolder());
    const server = await serve(code);
    try {
      const page = await browser.newPage();
      await page.goto(server.address);
      const { answer, error } = await ask<{ tests: number; failed: string[] }>(page, {});
      expect([error, answer?.failed]).toEqual([undefined, []]);
      expect(answer?.tests).toBe(countTests());
    } finally {
      await browser.close();
      server.close();
    }
  });
});
