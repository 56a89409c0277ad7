/** The connections to the explorer's server: a bounded number. Connections without the token make room for new ones. */
import type { Socket } from "node:net";

/** The open connections. */
export class Connections {
  readonly #most: number;
  /** Connections over which no request with the token has come, the oldest first. */
  readonly #strangers = new Set<Socket>();
  readonly #known = new Set<Socket>();

  /** @param most connections that are open at the same time */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a new connection. At the limit it closes the oldest connection without the token, or else the new one. */
  add(socket: Socket): void {
    if (this.#strangers.size + this.#known.size >= this.#most) {
      const [oldest = socket] = this.#strangers;
      this.#strangers.delete(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    this.#strangers.add(socket);
    socket.once("close", () => {
      this.#strangers.delete(socket);
      this.#known.delete(socket);
    });
  }

  /** Keeps a connection, because a request with the token came over it. */
  keep(socket: Socket): void {
    if (this.#strangers.delete(socket)) this.#known.add(socket);
  }
}
