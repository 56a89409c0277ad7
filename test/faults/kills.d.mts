/** The totals. */
export interface KillCounts {
  readonly kills: number;
  readonly acknowledged: number;
  readonly unacknowledgedButThere: number;
  readonly tornLogs: number;
  readonly beforeOpen: number;
}

export function killWriters(
  folder: string,
  kills: number,
  random: () => number,
  name?: "rocksdb" | "files",
): Promise<KillCounts>;
