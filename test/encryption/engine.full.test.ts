/** The conformance suite of engines, on encryption with Web Crypto and on RocksDB. */
import { join } from "node:path";
import { describe, it } from "vitest";
import { EncryptedEngine } from "../../src/encryption/index.js";
import { isPlain } from "../../src/encryption/plain-row.js";
import { ValueCipher } from "../../src/encryption/value-cipher.js";
import { engineConformance } from "../../src/engine/conformance/index.js";
import type { Engine } from "../../src/engine/engine.js";
import { openMemoryEngine, openRocksEngine } from "../../src/engines/index.js";
import { temporaryFolder } from "../engines/temporary.js";
import { encrypted, over } from "./conformance.js";
import { MASTER_KEY } from "./vectors.js";

/** Web Crypto takes longer for larger values, and answers when it is done. */
const encryptedWithWebCrypto = async (engine: Engine): Promise<Engine> =>
  new EncryptedEngine(engine, new ValueCipher(MASTER_KEY.slice(), { web: true }), {
    ...{ rules: [], isPlain: false, fallback: "core-0.11", takenAsPlain: isPlain, warnings: [] },
  });

const memory = (columns: readonly string[]) => openMemoryEngine({ columns });
const rocksdb = (columns: readonly string[]) =>
  openRocksEngine(join(temporaryFolder(), "db"), { create: true, columns });

engineConformance("encrypted with Web Crypto", over(memory, encryptedWithWebCrypto), { describe, it });
engineConformance("encrypted, on RocksDB", over(rocksdb, encrypted), { describe, it });
