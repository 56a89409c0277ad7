/** Options of the storage format: they decide which bytes the same content becomes. */
import {
  checkFields,
  isFunction,
  isOneOf,
  isWholeNumber,
  type OptionCheck,
  type OptionChecks,
} from "merostore/internal";
import type { Permutation, RollingHash } from "./pieces/rolling-hash.js";

/**
 * The storage format of pages. Open a repository with the same one each time, on all devices: another one gives the same
 * contents other ids. All content stays readable.
 */
export interface FormatOptions {
  /** The way in which values and tree nodes are cut into pieces: `V3` by default. */
  readonly rollingHash?: RollingHash | undefined;
  /** Changes where values are cut, so that others cannot predict it. */
  readonly permutation?: Permutation | undefined;
  /** The number of the encryption key that identifiers name, a u32: 1 unless given. Nothing is encrypted here. */
  readonly keyIndex?: number | undefined;
}

const FORMAT_OPTIONS: OptionChecks<FormatOptions> = {
  rollingHash: isOneOf(["V1", "V2", "V3"]),
  permutation: isFunction,
  keyIndex: isWholeNumber(0, 0xffff_ffff),
};

/**
 * Checks an option that is a storage format.
 * @throws MerostoreError INVALID_ARGUMENT that names the wrong field
 */
export const isFormat: OptionCheck = (value) => {
  checkFields("the format of a ledger", value as FormatOptions, FORMAT_OPTIONS);
  return undefined;
};
