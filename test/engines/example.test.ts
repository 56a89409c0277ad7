/** The engine to which CONTRIBUTING.md refers keeps the contract. */
import { describe, it } from "vitest";
import { engineConformance } from "../../src/engine/conformance/index.js";
import { MapEngine } from "./map-engine.js";

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
