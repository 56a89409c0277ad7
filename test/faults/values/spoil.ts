/** Spoilt values: cases of one field each, and their results. */

import { randomNumbers } from "../../support/random-values.js";
import { fieldsOf } from "./fields.js";
import type { News, StoredRow, Subject } from "./subject.js";

/** A row, and its value with some bits of one byte changed. */
export interface Case {
  readonly subject: Subject;
  readonly row: StoredRow;
  readonly value: Uint8Array;
  readonly revision: string;
  readonly kind: string;
  /** The innermost field of the byte: `children[].metadata.createdAt`; empty for the value itself. */
  readonly field: string;
}

/** The result of a case. */
export interface Spoilt extends Case {
  readonly news: readonly News[];
}

/** Makes cases; the same for the same seed. */
export class CaseMaker {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  /** From 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  /** Makes cases of a row, in random fields of any length. */
  ofRow(subject: Subject, row: StoredRow, count: number): Case[] {
    const fields = fieldsOf(subject.schema, row);
    const names = [...new Set(fields)];
    return Array.from({ length: count }, () =>
      this.ofField(subject, row, names[this.below(names.length)] as string, fields),
    );
  }

  /** Makes a case of a field of the row. */
  ofField(subject: Subject, row: StoredRow, field: string, fields = fieldsOf(subject.schema, row)): Case {
    const places = [...fields.keys()].filter((at) => fields[at] === field);
    const value = row.value.slice();
    const at = places[this.below(places.length)] as number;
    // One bit, as a rule.
    const bits = this.below(4) > 0 ? 1 << this.below(8) : 1 + this.below(255);
    value[at] = (value[at] as number) ^ bits;
    const { schema } = subject;
    return { subject, row, value, revision: schema.name, kind: subject.kindOf(row), field };
  }
}

/** Spoils a value, verifies, and restores it. */
export async function spoil(one: Case): Promise<Spoilt> {
  const news = await one.subject.news(one.row, one.value);
  if (news.length === 0) checkOther(one);
  return { ...one, news };
}

/** Checks that the bytes decode to another value: each value has one encoding that nodes write. */
function checkOther({ subject: { schema }, row, value, kind, field }: Case): void {
  const { value: codec } = schema.row(schema.identify(row.column, row.key)?.kind as string);
  const [before, after] = [row.value, value].map((bytes) =>
    JSON.stringify(codec.toJson(codec.decode(bytes))),
  );
  if (before === after) throw new Error(`other bytes are the same ${kind}, and canonical: ${field}`);
}
