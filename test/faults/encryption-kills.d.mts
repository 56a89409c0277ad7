/** The totals. */
export interface EncryptionKillCounts {
  readonly kills: number;
  readonly absent: number;
  readonly complete: number;
}

export function killRewriters(
  folder: string,
  kills: number,
  random: () => number,
): Promise<EncryptionKillCounts>;
