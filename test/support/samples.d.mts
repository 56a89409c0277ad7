export const samples: readonly { readonly name: string; readonly rows: number }[];
export function samplePath(name: string): string;
export function sampleRows(
  name: string,
): { readonly column: string; readonly key: Uint8Array; readonly value: Uint8Array }[];
