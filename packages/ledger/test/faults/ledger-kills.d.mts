/** The totals. */
export interface LedgerKillCounts {
  readonly kills: number;
  readonly acknowledged: number;
  readonly unacknowledgedButThere: number;
  readonly merged: number;
  readonly beforeOpen: number;
}

export function killLedgerWriters(
  folder: string,
  kills: number,
  random: () => number,
): Promise<LedgerKillCounts>;
