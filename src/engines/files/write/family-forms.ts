/** The form of new tables that the caller chooses for each column family. */

import { didYouMean } from "../../../bytes/nearest.js";
import { invalidArgument } from "../../../errors.js";
import { MOST_BLOOM_BITS } from "../../../lsm/format/encode-filter.js";
import type { TableForm } from "../../../lsm/format/encode-table.js";
import {
  checkFields,
  isObject,
  isOneOf,
  isWholeNumber,
  type OptionCheck,
  type OptionChecks,
} from "../../../options.js";
import type { ReadOptions } from "../state.js";

/** The form of new tables of a column family. */
export interface FamilyForm {
  /** The compression of its rows. By default LZ4 if other tables of the database have it, else none. */
  readonly compression?: "none" | "lz4" | undefined;
  /**
   * The bits of the Bloom filter for each key, at most 50; 0 for tables without a filter. Default 10: one of a hundred
   * absent keys passes the filter.
   */
  readonly bloomBits?: number | undefined;
  /**
   * If level 0 has at least so many tables, at most 1,000, a flush compacts them and its own rows into one run. Default
   * 4; 0 for never. RocksDB has its own settings, and compacts when it opens the database.
   */
  readonly compactFrom?: number | undefined;
}

/** The forms by the names of column families. */
export type FamilyForms = Readonly<Record<string, FamilyForm>>;

/** Options for reading, and the forms of new tables. */
export interface TableOptions extends ReadOptions {
  readonly families?: FamilyForms | undefined;
}

const familyForm: OptionChecks<FamilyForm> = {
  compression: isOneOf(["none", "lz4"]),
  bloomBits: isWholeNumber(0, MOST_BLOOM_BITS),
  compactFrom: isWholeNumber(0, 1000),
};

/** The check of an option that is {@link FamilyForms}. */
export const isFamilyForms: OptionCheck = (value) =>
  isObject(value) ? undefined : "an object with column families";

/**
 * @throws MerostoreError INVALID_ARGUMENT for a family that the database does not have, or a form that does not exist
 */
export function checkFamilyForms(families: FamilyForms | undefined, columns: readonly string[]): void {
  for (const [name, form] of Object.entries(families ?? {})) {
    if (!columns.includes(name))
      throw invalidArgument(
        `families: the database has no column family ${name}${didYouMean(name, columns, "")}`,
      );
    checkFields(`families.${name}`, form, familyForm);
  }
}

/** The form of new tables of a family. */
export function formOf(byDefault: TableForm, { compression, bloomBits }: FamilyForm = {}): TableForm {
  return {
    ...byDefault,
    ...(compression && { lz4: compression === "lz4" }),
    ...(bloomBits !== undefined && { bloomBits }),
  };
}
