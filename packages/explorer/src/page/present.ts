/** The shell's view of the open view. */
import { signal } from "@preact/signals";

/** A step of the path to the shown thing. */
export interface Crumb {
  readonly words: string;
  readonly address: string;
}

/** The present view. */
export interface Present {
  readonly title: string;
  readonly crumbs: readonly Crumb[];
  /** The words after `merostore` of the command that prints the same. */
  readonly command: readonly string[] | undefined;
}

/** The present view, as `View` sets it. */
export const present = signal<Present>({ title: "", crumbs: [], command: undefined });
