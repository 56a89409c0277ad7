/** The conformance suite of engines, on the engine that decrypts another engine's rows. */
import { describe, it } from "vitest";
import { engineConformance } from "../../src/engine/conformance/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import { encrypted, over } from "./conformance.js";

engineConformance(
  "encrypted",
  over((columns) => openMemoryEngine({ columns }), encrypted),
  { describe, it },
);
