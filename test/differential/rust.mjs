/** The program `answer` of fixtures/rust: what borsh-rs says of bytes. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const crate = fileURLToPath(new URL("../../fixtures/rust/", import.meta.url));
const program = join(process.env.CARGO_TARGET_DIR ?? join(crate, "target"), "release", "answer");

const HEAD = 7;

function run(args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { maxBuffer: 2 ** 30 });
  if (error) throw error;
  if (status !== 0) throw new Error(`answer ${args.join(" ")}: ${stderr}`);
  return stdout;
}

export function build() {
  const { status, error } = spawnSync("cargo", ["build", "--release", "--bin", "answer"], {
    cwd: crate,
    stdio: "inherit",
  });
  if (error) throw error;
  if (status !== 0) throw new Error("cargo build failed");
}

/** `{ revision, type, index, number }` of all types; `number` is the revision's. */
export function types() {
  const all = run(["--types"]).toString().trimEnd().split("\n").map(JSON.parse);
  const revisions = [...new Set(all.map(({ revision }) => revision))];
  return all.map((type) => ({ ...type, number: revisions.indexOf(type.revision) }));
}

/** The bytes of `count` values that Rust makes up. */
export function madeByRust({ revision, type }, seed, count) {
  const requests = run(["--generate", String(seed), String(count), `${revision}/${type}`]);
  const made = [];
  for (let at = 0; at < requests.length; ) {
    const end = at + HEAD + requests.readUInt32LE(at + 3);
    made.push(new Uint8Array(requests.subarray(at + HEAD, end)));
    at = end;
  }
  return made;
}

/** The running program. */
export class Rust {
  #process = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  #chunks = [];
  #size = 0;
  #ended = false;
  #wake = () => {};

  constructor() {
    this.#process.stdin.on("error", () => {}); // The end of its output says the same.
    this.#process.stdout.on("data", (chunk) => {
      this.#chunks.push(chunk);
      this.#size += chunk.length;
      this.#wake();
    });
    this.#process.stdout.on("close", () => {
      this.#ended = true;
      this.#wake();
    });
    this.#process.on("error", () => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** `{ accept, reencoded }` for each of `cases`, bytes of one type. */
  async answers({ number, index }, cases) {
    const request = Buffer.alloc(cases.reduce((size, bytes) => size + HEAD + bytes.length, 0));
    let end = 0;
    for (const bytes of cases) {
      request.writeUInt8(number, end);
      request.writeUInt16LE(index, end + 1);
      request.writeUInt32LE(bytes.length, end + 3);
      request.set(bytes, end + HEAD);
      end += HEAD + bytes.length;
    }
    this.#process.stdin.write(request);
    const answers = [];
    let buffer = Buffer.alloc(0);
    let at = 0;
    while (answers.length < cases.length) {
      while (answers.length < cases.length && buffer.length - at >= 5) {
        const length = buffer.readUInt32LE(at + 1);
        if (buffer.length - at < 5 + length) break;
        const accept = buffer[at] === 1;
        answers.push({ accept, reencoded: accept ? buffer.subarray(at + 5, at + 5 + length) : undefined });
        at += 5 + length;
      }
      if (answers.length === cases.length) break;
      buffer = Buffer.concat([buffer.subarray(at), await this.#more()]);
      at = 0;
    }
    if (at !== buffer.length || this.#size > 0) throw new Error("more answers than questions");
    return answers;
  }

  async #more() {
    while (this.#size === 0) {
      if (this.#ended) throw new Error("answer stopped answering");
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
    const all = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    return all;
  }

  /** Ends the program. @throws Error if it failed. */
  async close() {
    const exit = this.#process.exitCode === null ? once(this.#process, "exit") : [this.#process.exitCode];
    this.#process.stdin.end();
    const [code] = await exit;
    if (code !== 0) throw new Error(`answer ended with ${code}`);
  }
}
