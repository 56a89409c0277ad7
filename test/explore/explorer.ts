/** The command explore in a process of its own, and requests to it byte by byte. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { exitOf, start, textOf } from "../cli/run.js";

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A running command. */
export interface Explorer extends AsyncDisposable {
  readonly child: ChildProcess;
  /** The first line of its output. */
  readonly line: string;
  readonly origin: string;
  readonly port: number;
  readonly token: string;
  /** Sends a request with the token and the host of the server, unless `headers` has others. */
  get(path: string, headers?: Headers, method?: string): Promise<RawAnswer>;
  /** Ends the command with a signal. */
  end(signal?: NodeJS.Signals): Promise<{ status: number | null; stdout: string; stderr: string }>;
}

/** Headers; undefined leaves one out. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** Starts the command with the words, and waits for its address. */
export async function exploring(...words: readonly string[]): Promise<Explorer> {
  const child = start(["explore", ...words]);
  const stderr = textOf(child.stderr);
  const ended = exitOf(child);
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  while (!stdout.includes("\n")) {
    const [event] = await Promise.race([
      once(child.stdout as NodeJS.ReadableStream, "data"),
      ended.then(() => ["ended"]),
    ]);
    if (event === "ended") throw new Error(`the command has ended: ${await stderr}`);
  }
  const line = stdout.split("\n")[0] as string;
  const { origin, port, hash } = new URL(line);
  const token = hash.slice("#token=".length);
  const end = async (signal: NodeJS.Signals = "SIGINT") => {
    child.kill(signal);
    return { status: await ended, stdout, stderr: await stderr };
  };
  return {
    child,
    line,
    origin,
    port: Number(port),
    token,
    get: (path, headers = {}, method = "GET") =>
      rawRequest(Number(port), path, { "x-merostore-token": token, ...headers }, method),
    end,
    [Symbol.asyncDispose]: async () => void (await end()),
  };
}

/** Sends a request exactly as given: nothing is resolved or escaped, and only `Host` is added. */
export async function rawRequest(
  port: number,
  path: string,
  headers: Headers = {},
  method = "GET",
): Promise<RawAnswer> {
  const all = { host: `127.0.0.1:${port}`, connection: "close", ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  return rawBytes(port, `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
}

/** Sends bytes, and reads the answer to its end; status 0 if the connection ends without one. */
export async function rawBytes(port: number, request: string | Buffer): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.write(request);
  await once(socket, "close");
  const bytes = Buffer.concat(chunks);
  const at = bytes.indexOf("\r\n\r\n");
  const [first = "", ...lines] = bytes.subarray(0, Math.max(0, at)).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(" ")[1] ?? 0), headers, body: bytes.subarray(at + 4) };
}
