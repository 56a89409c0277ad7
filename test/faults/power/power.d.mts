/** Builds the shim; undefined where it cannot be built. */
export function buildShim(folder: string): string | undefined;

/** An event of the shim. */
export interface DiskEvent {
  readonly type: string;
  readonly file: string;
  readonly number: number;
  readonly a: string | Uint8Array;
  readonly b: string;
}

export interface PowerOptions {
  readonly shim: string;
  readonly fixture: string;
  readonly random: () => number;
  readonly scenarios?: readonly string[];
  readonly ignores?: (event: DiskEvent) => boolean;
}

/** Cuts the power again and again. `counts` has the cuts of each scenario; `wrong` is empty if nothing was lost. */
export function cutPower(
  folder: string,
  cuts: number,
  options: PowerOptions,
): Promise<{ counts: Readonly<Record<string, number>>; wrong: readonly string[] }>;
