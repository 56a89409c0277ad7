import type { Codec } from "../../src/codec/index.js";

/** The answer of Rust: `reencoded` is there if it accepts. */
export interface Answer {
  readonly accept: boolean;
  readonly reencoded?: Uint8Array | undefined;
}

/** The disagreement of a codec with Rust about bytes; undefined if they agree. */
export function disagreement(codec: Codec<unknown>, bytes: Uint8Array, answer: Answer): string | undefined;
