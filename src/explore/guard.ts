/** Selects the requests to answer: only requests of the page itself, and of programs that know the token. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/** A request that is refused. */
export interface Refusal {
  readonly status: number;
  /** The reason, in a sentence. */
  readonly sentence: string;
}

/** Addresses of this machine that a user may type. */
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** Addresses that stand for all of a machine. */
const ANY = ["0.0.0.0", "[::]"];

/** The header of the token. */
export const TOKEN_HEADER = "x-merostore-token";

/** Checks requests to one server. */
export class Guard {
  readonly #hosts: ReadonlySet<string>;
  readonly #isAny: boolean;
  readonly #port: number;
  readonly #token: Buffer;

  /** @param host the name or address that the server listens on, as a URL has it */
  constructor(host: string, port: number, token: string) {
    this.#hosts = new Set([...LOOPBACK, host.toLowerCase()].flatMap((name) => withPort(name, port)));
    this.#isAny = ANY.includes(host);
    this.#port = port;
    this.#token = Buffer.from(token);
  }

  /** The reason why a request of any kind is refused; undefined if it is not. */
  refusal({ method = "", headers, socket }: IncomingMessage): Refusal | undefined {
    if (method !== "GET" && method !== "HEAD")
      return { status: 405, sentence: "Only GET and HEAD are answered." };
    if (headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0")
      return { status: 400, sentence: "A request with a body is not answered." };
    const host = headers.host?.toLowerCase() ?? "";
    if (!this.#hosts.has(host) && !this.#isOwnAddress(host, socket.localAddress))
      return { status: 403, sentence: "The request is for another host." };
    if (headers.origin !== undefined && headers.origin !== `http://${host}`)
      return { status: 403, sentence: "The request comes from a page of another origin." };
    return undefined;
  }

  /** The reason why a request for data is refused. */
  dataRefusal({ headers }: IncomingMessage): Refusal | undefined {
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none")
      return { status: 403, sentence: "The request comes from a page of another site." };
    const given = headers[TOKEN_HEADER];
    const token = Buffer.from(typeof given === "string" ? given : "");
    if (token.length === this.#token.length && timingSafeEqual(token, this.#token)) return undefined;
    return { status: 403, sentence: "The request has no token, or a wrong one." };
  }

  /** A name can be made to lead to any address (DNS rebinding); an address leads to itself. */
  #isOwnAddress(host: string, local: string | undefined): boolean {
    if (!this.#isAny || local === undefined) return false;
    const address = local.replace(/^::ffff:(?=\d+\.)/, "");
    return withPort(isIP(address) === 6 ? `[${address}]` : address, this.#port).includes(host);
  }
}

/** The value of `Host` for a name and a port: browsers leave out the port 80. */
function withPort(name: string, port: number): readonly string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}
