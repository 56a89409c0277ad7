/** A bundle: its code, with the parts that went in and the imports that remain. */
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
