/** A bundle: its code, and what went in and is left to import. */
interface Bundle {
  readonly code: string;
  readonly metafile: object;
}

/** The bundle of a program, a file or its content. */
export function bundle(
  program: string | { readonly contents: string; readonly resolveDir: string },
): Promise<Bundle>;

/** The parts of Node, or of the native package, in a bundle. */
export function ofNode(bundle: Bundle): string[];
