/** The totals. */
export interface LedgerClearCounts {
  readonly kills: number;
  readonly acknowledged: number;
  readonly withRowsToRemove: number;
  readonly removedRows: number;
}

export function killLedgerClearers(
  folder: string,
  kills: number,
  random: () => number,
): Promise<LedgerClearCounts>;
