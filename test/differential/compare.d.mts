import type { Codec } from "../../src/codec/index.js";

/** What Rust said: `reencoded` is there if it accepts. */
export interface Answer {
  readonly accept: boolean;
  readonly reencoded?: Uint8Array | undefined;
}

/** How a codec disagrees with Rust about bytes; undefined if it does not. */
export function disagreement(codec: Codec<unknown>, bytes: Uint8Array, answer: Answer): string | undefined;
