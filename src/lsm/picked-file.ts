/** A file that a user picked: what of a browser's `File` is used. */

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

/** A part of a picked file: what of a `Blob` is used. */
export interface PickedPart {
  /** Reads the bytes. Rejects if the file has changed since it was picked. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Reads the bytes from the first to the last: several times as fast as many parts. Absent where a browser cannot. */
  stream?(): PickedStream;
}

/** A stream of the bytes of a part: what of a `ReadableStream` is used. */
export interface PickedStream {
  /** Returns what reads it, into buffers of the caller if `mode` asks for that. Throws where a stream cannot. */
  getReader(options?: { readonly mode: "byob" }): PickedReader;
}

/** What reads a stream: what of a `ReadableStreamBYOBReader` or a `ReadableStreamDefaultReader` is used. */
export interface PickedReader {
  /**
   * Returns the next bytes. Rejects if the file has changed since it was picked.
   *
   * @param buffer taken for the bytes and returned with them; a reader that was not made for that leaves it alone
   */
  read(buffer: Uint8Array): Promise<PickedPiece>;
  /** Ends the stream. */
  cancel(): Promise<void>;
}

/** The next bytes of a stream, or its end. */
export interface PickedPiece {
  /** Whether the stream has ended: there are no bytes then. */
  readonly done: boolean;
  /** The bytes. */
  readonly value?: Uint8Array | undefined;
}
