/** A request that the server got. */
export interface Requested {
  readonly how: string;
  readonly name: string;
  readonly range?: string;
  readonly ifRange?: string;
  readonly authorization?: string;
  readonly query: string;
  /** Bytes that were sent. */
  readonly bytes: number;
}

/** The server. The first part of a path chooses its behaviour. */
export interface Server extends Disposable {
  /** Its address, without a slash at the end. */
  readonly root: string;
  url(how: string): string;
  /** The requests since the last time. */
  requests(): Promise<readonly Requested[]>;
  close(): void;
}

export function serve(folder: string): Promise<Server>;
