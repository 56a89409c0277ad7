/** The rows of a node in a random history, by kind and ids. This code is independent of the replay that it tests. */

/** A row. The ids of its key are 64 hex digits each. */
export interface HistoryRow {
  readonly kind: string;
  readonly ids: readonly string[];
  readonly value: unknown;
}

export class HistoryRows {
  readonly #rows = new Map<string, HistoryRow>();

  get<T>(kind: string, ...ids: readonly string[]): T | undefined {
    return this.#rows.get([kind, ...ids].join(" "))?.value as T | undefined;
  }

  has(kind: string, ...ids: readonly string[]): boolean {
    return this.#rows.has([kind, ...ids].join(" "));
  }

  set(kind: string, ids: readonly string[], value: unknown): void {
    this.#rows.set([kind, ...ids].join(" "), { kind, ids, value });
  }

  delete(kind: string, ...ids: readonly string[]): void {
    this.#rows.delete([kind, ...ids].join(" "));
  }

  /** Changes fields of an existing row. */
  change(kind: string, ids: readonly string[], fields: Readonly<Record<string, unknown>>): void {
    const value = this.get<object>(kind, ...ids);
    if (value !== undefined) this.set(kind, ids, { ...value, ...fields });
  }

  /** The rows of a kind whose first ids are these. */
  of(kind: string, ...ids: readonly string[]): readonly HistoryRow[] {
    const start = [kind, ...ids, ""].join(" ");
    return this.all().filter((row) => `${[row.kind, ...row.ids].join(" ")} `.startsWith(start));
  }

  all(): readonly HistoryRow[] {
    return [...this.#rows.values()];
  }
}
