/** The vectors of the specification. A program in Python made the unmarked ones. */
import { fromHex } from "../../src/bytes/hex.js";
import type { EncryptionRule } from "../../src/encryption/index.js";

export const MASTER_KEY = new Uint8Array(48).fill(0x42);

/** Keys of versions by master key. */
export const derivedKeys: readonly (readonly [master: Uint8Array, version: number, key: string])[] = [
  [MASTER_KEY, 0, "084a3844039e03936430ace5fd0942aa4a072080155a829750388c5540eeb945"],
  [MASTER_KEY, 1, "e74f29ab53c58e411443ad1c8fcdfa8d1b7b3f9c43b27f9ade58459da49d4efc"],
  [MASTER_KEY, 2, "b19b5f4c9ed986472adb1c8b80db03c40a1a5eae2588e13f931425288dcdee0c"],
  [MASTER_KEY, 10, "ce1e1f0efb5b041eb4549c3bb410e6047c3d6981fe2685d3873ed52d24c9a35a"],
  [MASTER_KEY, 255, "267e29ecfd06d713949176ab7b295b7d8a41e31d538a39e6b66f1d4fbaf80344"],
  [
    Uint8Array.from({ length: 32 }, (_, at) => at),
    1,
    "6f35f3d0d48c3c0e26a6bbf185bfb893578d99245bff5b55f9050e2c25576d9e",
  ],
];

export interface Vector {
  readonly what: string;
  readonly rule: EncryptionRule;
  readonly version: number;
  readonly plain: Uint8Array;
  readonly stored: Uint8Array;
}

function vector(what: string, rule: EncryptionRule, version: number, plain: string, stored: string): Vector {
  return { what, rule, version, plain: fromHex(plain), stored: fromHex(stored) };
}

const [TEST, CONFIG, ELEVENS] = [
  "74657374",
  "01000000000000000200000000000000",
  "1111111111111111111111111111111111111111111111111111111111111111",
];
const EDGE = "ffffffffffffffff0000000000000000";
const N = "a0a1a2a3a4a5a6a7a8a9aaab";

/** All encrypted with {@link MASTER_KEY}. */
export const values: readonly Vector[] = [
  vector("empty", "core-0.10", 1, "", `01${N}33d2df9d98e3ceb1971f51250499d702`),
  vector("empty", "core-0.11", 1, "", `01${N}d29f738b02684b69d5c223c12ea7deec`),
  vector("test", "core-0.10", 1, TEST, `01${N}6af25fd67335b0f170c0b33e83d65c25ae8905ec`),
  vector("test, by Rust", "core-0.11", 1, TEST, `01${N}6af25fd6a0571760d695c8d91a99f733dde3abd5`),
  vector(
    "Config",
    "core-0.10",
    1,
    CONFIG,
    `01${N}1f972ca2fe6350cdf7fd83279604b6e49f53f025887cd008841aaf938d1bc551`,
  ),
  vector(
    "Config",
    "core-0.11",
    1,
    CONFIG,
    `01${N}1f972ca2fe6350cdf7fd83279604b6e44c3157b42e29abef1d550485fe716b68`,
  ),
  vector("test", "core-0.10", 2, TEST, `02${N}14e1b041f523811df6ebee39dad1e87cf7f99489`),
  vector("test, by Rust", "core-0.11", 2, TEST, `02${N}14e1b0411b47722ceabf18d3f67b72a029933a63`),
  vector(
    "32 bytes",
    "core-0.10",
    2,
    ELEVENS,
    `02${N}7195d2248e5d417c1720154b26349c95f8f651b3eb894a1a71e8d58eaf1d93ca0daeb953e884b00616fcda272e729468`,
  ),
  vector(
    "32 bytes",
    "core-0.11",
    2,
    ELEVENS,
    `02${N}7195d2248e5d417c1720154b26349c95f8f651b3eb894a1a71e8d58eaf1d93ca90edf988418a35997f90627d61763bdc`,
  ),
  vector(
    "test, written by Rust",
    "core-0.11",
    1,
    TEST,
    "01cb8d116bf6ea1e70877a1952a548454eeb10205c0ebf46e5e37dbeecef17b60b",
  ),
  vector(
    "empty, written by Rust",
    "core-0.11",
    1,
    "",
    "01e2730126a97b26b5f95a55639c61776e84950423601b798844c9a6dc",
  ),
  vector(
    "Config row of core-0.10/encrypted",
    "core-0.10",
    1,
    EDGE,
    "011c13edebf40e14181f6fefdec39711b9d0305e731953a0909da375c42a147bf00b5c333b5e435357a7c99d97",
  ),
  vector(
    "Group row of core-0.10/encrypted",
    "core-0.10",
    2,
    "",
    "0250d96fcfa4cadf79143df7835daa4cafdbb6ad89d14b7569d0ffd389",
  ),
  vector(
    "Config row of core-0.11/encrypted",
    "core-0.11",
    1,
    EDGE,
    "013abd065c3f848a61489f5fe531703db6fb59f2eb0f5908ac7f592edd5f0bcd31a616becdaa6aa243b830cfe8",
  ),
  vector(
    "Group row of core-0.11/encrypted",
    "core-0.11",
    1,
    "",
    "01ac0427f1b151ff0a0e5ca240010b658e9b6c982e177b995f1e9de15c",
  ),
];
