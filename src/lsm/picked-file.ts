/** Files that a user picked in a browser: the parts of its interfaces that are used here. */

/** The used part of a browser's `File`. A `File` of Node is accepted too. */
export interface PickedFile {
  /** The file name without its folders. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Its path in the picked folder: `data/CURRENT`. Absent or empty for files that were picked individually. */
  readonly webkitRelativePath?: string;
  /** Returns the bytes from `start` on, before `end`. */
  slice(start: number, end: number): PickedPart;
}

/** A part of a picked file: the used part of a `Blob`. */
export interface PickedPart {
  /** Reads the bytes. Rejects if the file has changed since it was picked. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Reads the bytes from the first to the last: several times as fast as many parts. Absent where a browser cannot. */
  stream?(): PickedStream;
}

/** A stream of the bytes of a part: the used part of a `ReadableStream`. */
export interface PickedStream {
  /** Returns a reader; with `mode`, one that reads into buffers of the caller. Throws if the stream has no such reader. */
  getReader(options?: { readonly mode: "byob" }): PickedReader;
}

/** A reader of a stream: the used part of a `ReadableStreamBYOBReader` or a `ReadableStreamDefaultReader`. */
export interface PickedReader {
  /**
   * Returns the next bytes. Rejects if the file has changed since it was picked.
   *
   * @param buffer where a reader with `mode` puts the bytes, which it detaches; other readers ignore it
   */
  read(buffer: Uint8Array): Promise<PickedPiece>;
  /** Ends the stream. */
  cancel(): Promise<void>;
}

/** The next bytes of a stream, or its end. */
export interface PickedPiece {
  /** True if the stream has ended: there are no bytes then. */
  readonly done: boolean;
  /** The bytes. */
  readonly value?: Uint8Array | undefined;
}
