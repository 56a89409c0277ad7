/** The conformance suite of engines, on the engine that decrypts what another one reads. */
import { describe, it } from "vitest";
import { EncryptedEngine, openEncrypted } from "../../src/encryption/index.js";
import { type EngineFactory, engineConformance } from "../../src/engine/conformance/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import { MASTER_KEY } from "./vectors.js";

const encrypted: EngineFactory = {
  writable: true,
  async open(columns, operations) {
    const engine = await openEncrypted(openMemoryEngine({ columns }), { masterKey: MASTER_KEY }, "core-0.11");
    if (!(engine instanceof EncryptedEngine)) throw new Error("not encrypted");
    await engine.write(operations);
    return engine;
  },
};

engineConformance("encrypted", encrypted, { describe, it });
