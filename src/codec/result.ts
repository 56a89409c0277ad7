import type { Codec } from "./codec.js";
import { checkCodec } from "./declarations.js";
import { enumOf } from "./enums.js";

/** The value of a `Result`. */
export type Result<T, E> =
  | {
      /** Success. */
      readonly kind: "Ok";
      /** The result. */
      readonly value: T;
    }
  | {
      /** Failure. */
      readonly kind: "Err";
      /** The error. */
      readonly value: E;
    };

/**
 * `Result<T, E>`: 01 and the result, or 00 and the error.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for an argument that is not a codec
 * @example
 * result(u8, str).encode({ kind: "Ok", value: 7 }); // 01 07
 */
export function result<T, E>(ok: Codec<T>, error: Codec<E>): Codec<Result<T, E>> {
  checkCodec("the result", ok);
  checkCodec("the error of a result", error);
  const type = `Result<${ok.signature}, ${error.signature}>`;
  return enumOf(type, { Err: { value: error }, Ok: { value: ok } }) as unknown as Codec<Result<T, E>>;
}
