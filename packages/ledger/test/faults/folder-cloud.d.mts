/** The totals. */
export interface FolderCloudCounts {
  readonly kills: number;
  readonly acknowledged: number;
  readonly unacknowledgedButThere: number;
  readonly commits: number;
  readonly rounds: number;
}

export function killFolderDevices(
  folder: string,
  kills: number,
  next: () => number,
  lives?: number,
): Promise<FolderCloudCounts>;
