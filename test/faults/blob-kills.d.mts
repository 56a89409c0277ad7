/** The totals. */
export interface BlobKillCounts {
  readonly kills: number;
  readonly acknowledged: number;
  readonly filesWithoutRow: number;
  readonly unfinished: number;
  readonly beforeOpen: number;
}

export function killBlobWriters(folder: string, kills: number, random: () => number): Promise<BlobKillCounts>;
