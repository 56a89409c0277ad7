/** Engines that decrypt another engine's rows, for the conformance suite. */
import { EncryptedEngine, openEncrypted } from "../../src/encryption/index.js";
import type { EngineFactory } from "../../src/engine/conformance/index.js";
import type { Engine } from "../../src/engine/engine.js";
import { removeTemporary } from "../engines/temporary.js";
import { MASTER_KEY } from "./vectors.js";

/** The encrypted engine on another one. */
export async function encrypted(engine: Engine): Promise<Engine> {
  const opened = await openEncrypted(engine, { masterKey: MASTER_KEY }, "core-0.11");
  if (!(opened instanceof EncryptedEngine)) throw new Error("not encrypted");
  return opened;
}

/** Makes engines that `open` opens and `wrap` wraps. */
export function over(
  open: (columns: readonly string[]) => Engine | Promise<Engine>,
  wrap: (engine: Engine) => Promise<Engine>,
): EngineFactory {
  return {
    writable: true,
    async open(columns, operations) {
      const engine = await wrap(await open(columns));
      await engine.write(operations);
      return engine;
    },
    cleanup: async () => removeTemporary(),
  };
}
