/** The listed rows of a history: each folded run is one line. */
import { firstNotBefore } from "merostore/internal";
import type { Fold } from "../../worker/history/folds.js";

/** A line of the list: a row, or a folded run from one row to another, which is left out. */
export interface Listed {
  readonly row: number;
  /** The row after the last one that the line stands for. */
  readonly end: number;
  readonly fold: Fold | undefined;
}

/** The lines of a list. */
export class FoldedRows {
  /** Number of lines. */
  readonly length: number;
  readonly #folds: readonly Fold[];
  /** Rows that folds hide before each fold. */
  readonly #hidden: Uint32Array;

  /** @param folds the folds that are closed */
  constructor(size: number, folds: readonly Fold[]) {
    this.#folds = folds;
    this.#hidden = new Uint32Array(folds.length + 1);
    for (const [at, { start, end }] of folds.entries())
      this.#hidden[at + 1] = (this.#hidden[at] as number) + end - start - 1;
    this.length = size - (this.#hidden[folds.length] as number);
  }

  /** A line by its place in the list. */
  at(line: number): Listed {
    const before = firstNotBefore(
      this.#folds.length,
      (fold) => this.#folds[fold]!.start - (this.#hidden[fold] as number) <= line,
    );
    const fold = this.#folds[before - 1];
    const isFold = fold !== undefined && fold.start - (this.#hidden[before - 1] as number) === line;
    if (isFold) return { row: fold.start, end: fold.end, fold };
    const row = line + (this.#hidden[before] as number);
    return { row, end: row + 1, fold: undefined };
  }

  /** The place of the line with a row. */
  lineOf(row: number): number {
    const before = firstNotBefore(this.#folds.length, (fold) => this.#folds[fold]!.start <= row);
    const fold = this.#folds[before - 1];
    if (fold !== undefined && row < fold.end) return fold.start - (this.#hidden[before - 1] as number);
    return row - (this.#hidden[before] as number);
  }
}
