/** The conformance suite of engines, on the engine that decrypts what another one reads. */
import { join } from "node:path";
import { describe, it } from "vitest";
import { EncryptedEngine, openEncrypted } from "../../src/encryption/index.js";
import { isPlain } from "../../src/encryption/plain-row.js";
import { ValueCipher } from "../../src/encryption/value-cipher.js";
import { type EngineFactory, engineConformance } from "../../src/engine/conformance/index.js";
import type { Engine } from "../../src/engine/engine.js";
import { openMemoryEngine, openRocksEngine } from "../../src/engines/index.js";
import { removeTemporary, temporaryFolder } from "../engines/temporary.js";
import { MASTER_KEY } from "./vectors.js";

const encrypt = async (engine: Engine): Promise<Engine> => {
  const encrypted = await openEncrypted(engine, { masterKey: MASTER_KEY }, "core-0.11");
  if (!(encrypted instanceof EncryptedEngine)) throw new Error("not encrypted");
  return encrypted;
};

/** Web Crypto takes longer for larger values, and answers when it is done. */
const encryptWithWebCrypto = async (engine: Engine): Promise<Engine> =>
  new EncryptedEngine(engine, new ValueCipher(MASTER_KEY.slice(), { web: true }), {
    ...{ rules: [], isPlain: false, fallback: "core-0.11", takenAsPlain: isPlain, warnings: [] },
  });

function over(
  open: (columns: readonly string[]) => Promise<Engine>,
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

const memory = async (columns: readonly string[]) => openMemoryEngine({ columns });
const rocksdb = (columns: readonly string[]) =>
  openRocksEngine(join(temporaryFolder(), "db"), { create: true, columns });

engineConformance("encrypted", over(memory, encrypt), { describe, it });
engineConformance("encrypted with Web Crypto", over(memory, encryptWithWebCrypto), { describe, it });
engineConformance("encrypted, on RocksDB", over(rocksdb, encrypt), { describe, it });
