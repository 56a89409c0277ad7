/** The rows that differ, by kind: all are counted, and the first are kept. */
import type { RowDifference } from "merostore/diff";
import { cut, jsonText } from "../database/text.js";

/** The most rows of a kind that are kept of the expected differences, and of the others. */
const KEPT = 200;
/** Fields of a row that are kept. */
const FIELDS = 20;
/** Characters of a value. */
const CHARACTERS = 240;
/** Hex digits of the longest key that a link has. */
const LONGEST_KEY = 2_000;

/** The number of differing rows. */
export interface RowTotals {
  readonly onlyInA: number;
  readonly onlyInB: number;
  readonly different: number;
}

/** A part of a key. */
export interface KeyPart {
  readonly part: string;
  readonly text: string;
  /** The name for the id, if it is known. */
  readonly name: string | undefined;
}

/** A field that differs, as text; undefined on a side without it. */
export interface DifferingField {
  readonly path: string;
  readonly a: string | undefined;
  readonly b: string | undefined;
}

/** A row that differs. */
export interface DifferingRow {
  readonly difference: RowDifference["difference"];
  /** The key in hex; undefined for one that is too long for a link. */
  readonly key: string | undefined;
  readonly parts: readonly KeyPart[];
  readonly fields: readonly DifferingField[];
  /** The number of differing fields that are not in `fields`. */
  readonly moreFields: number;
  /** The reason why correct nodes may differ here; undefined if they should not. */
  readonly expected: string | undefined;
}

/** The rows of a kind that differ. */
export interface DifferencesOfKind {
  /** Null for rows of no known kind. */
  readonly kind: string | null;
  readonly column: string;
  /** The number of differences that correct nodes should not have. */
  readonly unexpected: RowTotals;
  /** The number of differences that are expected between correct nodes. */
  readonly expected: RowTotals;
  /** The first rows of both. */
  readonly rows: readonly DifferingRow[];
}

type Counts = { -readonly [of in keyof RowTotals]: number };

interface Kept {
  readonly kind: string | null;
  readonly column: string;
  readonly unexpected: Counts;
  readonly expected: Counts;
  readonly rows: DifferingRow[];
}

/** Collects differing rows. */
export class DifferingRows {
  readonly #kinds = new Map<string, Kept>();
  readonly #nameOf: (id: string) => string | undefined;

  constructor(nameOf: (id: string) => string | undefined) {
    this.#nameOf = nameOf;
  }

  /** Counts a row, and keeps it if it is among the first. */
  add(row: RowDifference): void {
    const { kind, column, difference, benign } = row;
    const name = `${column} ${kind}`;
    const kept = this.#kinds.get(name) ?? {
      ...{ kind, column, rows: [] },
      unexpected: { onlyInA: 0, onlyInB: 0, different: 0 },
      expected: { onlyInA: 0, onlyInB: 0, different: 0 },
    };
    this.#kinds.set(name, kept);
    const counts = benign === undefined ? kept.unexpected : kept.expected;
    if (rowsIn(counts) < KEPT) kept.rows.push(this.#shown(row));
    counts[COUNT_OF[difference]]++;
  }

  /** The differences so far. */
  kinds(): readonly DifferencesOfKind[] {
    return [...this.#kinds.values()];
  }

  #shown({ difference, key, parts, fields = [], moreFields = 0, benign }: RowDifference): DifferingRow {
    return {
      difference,
      key: key.length > LONGEST_KEY ? undefined : key,
      parts: Object.entries(parts ?? { key }).map(([part, value]) => {
        const text = jsonText(value);
        return { part, text: short(text), name: this.#nameOf(text) };
      }),
      fields: fields
        .slice(0, FIELDS)
        .map(({ path, a, b }) => ({ path: short(path), a: textOf(a), b: textOf(b) })),
      moreFields: moreFields + Math.max(0, fields.length - FIELDS),
      expected: benign,
    };
  }
}

const COUNT_OF = { "only in a": "onlyInA", "only in b": "onlyInB", different: "different" } as const;

/** The sum of counts. */
export function kindsTotal(counts: readonly RowTotals[]): RowTotals {
  const of = (name: keyof RowTotals): number => counts.reduce((total, one) => total + one[name], 0);
  return { onlyInA: of("onlyInA"), onlyInB: of("onlyInB"), different: of("different") };
}

/** The number of differing rows. */
export function rowsIn({ onlyInA, onlyInB, different }: RowTotals): number {
  return onlyInA + onlyInB + different;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return short(jsonText(value));
}

function short(text: string): string {
  return cut(text, CHARACTERS);
}
