/** A web server for tests, in a process of its own. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

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

/** The server. The first part of a path says how it behaves. */
export interface Server {
  url(how: string): string;
  /** What was requested since the last time. */
  requests(): Promise<readonly Requested[]>;
  close(): void;
}

/** Serves a folder on a free port of this machine. */
export async function serve(folder: string): Promise<Server> {
  const child = fork(fileURLToPath(new URL("server.mjs", import.meta.url)), [folder], { silent: true });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (line: Buffer) => resolve(String(line).trim()));
    child.once("exit", (code) => reject(new Error(`the server ended with status ${code}`)));
  });
  const root = `http://127.0.0.1:${port}`;
  return {
    url: (how) => `${root}/${how}/`,
    requests: async () => (await (await fetch(`${root}/requests`)).json()) as readonly Requested[],
    close: () => void child.kill(),
  };
}
