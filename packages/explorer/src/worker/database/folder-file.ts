/** A file of a folder that a person picked or dropped. */
export interface FolderFile {
  /** Its path in the folder: `node/data/CURRENT`. */
  readonly path: string;
  /** Its content, which the browser reads on demand. */
  readonly file: File;
}
