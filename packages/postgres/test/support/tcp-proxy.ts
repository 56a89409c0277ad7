/** A TCP proxy on the loopback interface that cuts connections by the rules of a test. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** The decision of a rule about passing bytes: forward them, cut the connection, or forward them and then cut. */
export type Decision = "forward" | "cut" | "forward and cut";

/** Decides about passing bytes. Set by a test. */
export type Rule = (piece: Buffer) => Decision;

const forward: Rule = () => "forward";

export class TcpProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** The rule for bytes that the client sends. */
  toServer: Rule = forward;
  /** The rule for bytes that the server answers. */
  toClient: Rule = forward;

  private constructor(host: string, port: number) {
    this.#server = createServer((client) => {
      const server = connect(port, host);
      const end = (): void => {
        client.destroy();
        server.destroy();
      };
      for (const [from, to, rule] of [
        [client, server, () => this.toServer],
        [server, client, () => this.toClient],
      ] as const) {
        this.#sockets.add(from);
        from.on("close", () => {
          this.#sockets.delete(from);
          to.end();
        });
        from.on("error", end);
        from.on("data", (piece: Buffer) => {
          const decision = rule()(piece);
          if (decision === "cut") end();
          else if (decision === "forward and cut") {
            // The other side gets the bytes, but its answer is lost.
            to.write(piece, () => {
              client.destroy();
              server.end();
            });
          } else to.write(piece);
        });
      }
    });
  }

  static async to(host: string, port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(host, port);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  /** A URL through the proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = "127.0.0.1";
    changed.port = String((this.#server.address() as { port: number }).port);
    return changed.href;
  }

  /** Forwards all bytes again. */
  heal(): void {
    this.toServer = forward;
    this.toClient = forward;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}
