/** Requests to the server of the explorer. */
import { MerostoreError } from "merostore";
import { repeated } from "merostore/internal";

/** A request whose connection failed is repeated. */
const LIMITS = { waits: [50, 200], timeout: 30_000 };

/** The parts of a request that differ from a plain GET. */
export interface RequestOptions {
  readonly method?: "GET" | "HEAD";
  /** The range of wanted bytes, from `start` to `end`, which is left out. */
  readonly range?: { readonly start: number; readonly end: number };
  /** Ends the request. The error is the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** The answer to a request, or the refusal. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Requests with the token. */
export class ServerRequests {
  readonly #base: string;
  readonly #token: string;

  /**
   * @param base the origin of the server, without a slash at its end; empty for that of the page
   * @param token the token in the fragment of the page's address
   */
  constructor(base: string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  /**
   * Sends a request.
   *
   * @param path from `/api/` on
   * @throws MerostoreError NETWORK_ERROR if the server does not answer, or refuses or fails to; the reason of `signal`
   */
  async send(path: string, options: RequestOptions = {}): Promise<Answer> {
    const answer = await repeated(
      LIMITS,
      (_, signal) => this.#once(path, options, signal),
      noAnswer,
      options.signal,
    );
    const { status } = answer;
    if (status === 403) throw unanswered(STARTED_AGAIN);
    if (![200, 206, 404, 416].includes(status))
      throw unanswered(`the server answers with the status ${status}: it cannot read the file or folder`);
    return answer;
  }

  /**
   * Requests a value as JSON; undefined if the server has none.
   *
   * @throws MerostoreError NETWORK_ERROR
   */
  async json(path: string): Promise<unknown> {
    const { status, bytes } = await this.send(path);
    return status === 404 ? undefined : parsed(bytes);
  }

  /**
   * Requests a value whose computation may take long: without a limit of time, and once.
   *
   * @throws MerostoreError NETWORK_ERROR
   */
  async ask(path: string): Promise<unknown> {
    const { status, bytes } = await this.#once(path, {}, undefined).catch((error: unknown) => {
      throw noAnswer(error);
    });
    if (status === 403) throw unanswered(STARTED_AGAIN);
    if (status === 431)
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        "the statement is too long: the server takes about 6,000 characters",
      );
    if (status !== 200) throw unanswered(`the server answers with the status ${status}`);
    return parsed(bytes);
  }

  async #once(
    path: string,
    { method = "GET", range }: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const response = await fetch(this.#base + path, {
      method,
      headers: {
        "x-merostore-token": this.#token,
        ...(range !== undefined && { range: `bytes=${range.start}-${range.end - 1}` }),
      },
      credentials: "omit",
      redirect: "error",
      ...(signal !== undefined && { signal }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  }
}

const STARTED_AGAIN = "the token is not that of the server: it was started again. Open its new address";

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw unexpected(error);
  }
}

/** The error for an answer that does not come from the explorer's server. */
export function unexpected(cause?: unknown): MerostoreError {
  return unanswered("the answer is not one of the explorer's server", cause);
}

function noAnswer(cause: unknown): MerostoreError {
  return unanswered(
    "the server does not answer: it was ended, or the connection failed. Start merostore explore again",
    cause,
  );
}

function unanswered(why: string, cause?: unknown): MerostoreError {
  return new MerostoreError("NETWORK_ERROR", `the database cannot be read: ${why}`, { cause });
}
