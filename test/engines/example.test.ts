/** The engine in CONTRIBUTING.md keeps the contract. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { engineConformance } from "../../src/engine/conformance/index.js";
import { MapEngine } from "./map-engine.js";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

it("is map-engine.ts, line for line", () => {
  const engine = read("map-engine.ts").replace('"../../src/engines/index.js"', '"merostore/engine"');
  expect(read("../../CONTRIBUTING.md")).toContain(`\`\`\`ts\n${engine}\`\`\`\n`);
});

engineConformance(
  "the example",
  {
    writable: true,
    async open(columns, operations) {
      const engine = new MapEngine(columns);
      await engine.write(operations);
      return engine;
    },
  },
  { describe, it },
);
