/**
 * The output of commands: rows to stdout, remarks and progress to stderr. Commands write nowhere else. Their output may
 * contain foreign text, so all text passes through `visible` here. A signal stops a command here too.
 */
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { count, counted, size } from "../../bytes/quantity.js";
import { visible } from "../../bytes/visible.js";
import type { Progress } from "../../progress.js";
import { withoutSecretsOfUrls } from "../../url-secrets.js";
import { cellsOf } from "./cells.js";
import { colored, hasColors, type Mark, marksOf } from "./colors.js";
import type { IdLook } from "./id-look.js";
import { fieldLines, wrapped } from "./lines.js";
import type { Pager, StartPager } from "./pager.js";
import type { Cell } from "./text.js";

/**
 * Thrown to end a command: its reader has closed stdout (status 0), the user pressed Ctrl-C (130), or stdout is full
 * (3).
 */
export class Stopped extends Error {
  readonly status: number;

  constructor(status: number) {
    super("stopped");
    this.status = status;
  }
}

/** A stream of a process: Node's types have `isTTY` and `columns` on terminals only. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Options for the form of ids, sizes and tables. */
interface LookOptions {
  readonly short: boolean;
  readonly full: boolean;
  readonly base58: boolean;
  readonly bytes: boolean;
  readonly output: "name" | "wide" | "csv" | undefined;
}

const BUFFER = 64 * 1024;

/**
 * The remaining time is estimated from this share of the work on, and after so many milliseconds: earlier estimates are
 * wrong.
 */
const ESTIMATE_SHARE = 0.05;
const ESTIMATE_MS = 3_000;

/** The status after Ctrl-C. */
const CTRL_C = 130;

export class Terminal {
  /** A terminal, a file or a pipe; a pager once one runs. */
  #out: Writable;
  readonly #stdout: Output;
  readonly #err: Output;
  readonly #colors: boolean;
  #look: Partial<LookOptions> = {};
  #command = "";
  /** Starts a pager; undefined when it runs, or when output has gone to the terminal without it. */
  #startPager: StartPager | undefined;
  #pager: Pager | undefined;
  /** Remarks that wait until the user has left the pager. */
  readonly #waiting: string[] = [];
  #buffer = "";
  /** Decodes bytes for a terminal: a piece may end within a character. */
  readonly #decoder = new TextDecoder();
  #stopped: number | undefined;
  readonly #stop = new AbortController();
  #isEndless = false;
  /** Ends the wait for a slower reader. */
  #wake: (() => void) | undefined;

  /** @param startPager starts a pager for output that is longer than the screen; none unless given */
  constructor(out: Output, err: Output, startPager?: StartPager) {
    this.#out = out;
    this.#stdout = out;
    this.#startPager = this.interactive ? startPager : undefined;
    this.#err = err;
    this.#colors = hasColors(this.interactive);
    out.on("error", (error) => this.#failed(error));
    // A command continues if stderr is closed.
    err.on("error", () => undefined);
  }

  /** True if a person reads stdout. */
  get interactive(): boolean {
    return this.#stdout.isTTY === true;
  }

  /** The characters of a line; undefined if lines have no end. */
  get width(): number | undefined {
    // Terminals that do not know their width report 0.
    return this.interactive && this.form !== "wide" ? this.#stdout.columns || undefined : undefined;
  }

  /** The form of ids: whole unless a person reads them. Whole lists go with whole ids. */
  get ids(): IdLook {
    const { full = false, short = false, base58 = false } = this.#look;
    return { whole: full || (!short && (!this.interactive || this.isForPrograms)), base58 };
  }

  /** The form of ids in sentences, where ids are short by default; undefined unless an option requests another form. */
  get idsAskedFor(): IdLook | undefined {
    return this.#look.full || this.#look.base58 ? this.ids : undefined;
  }

  /** The form of tables; undefined for tables that fit the terminal. */
  get form(): LookOptions["output"] {
    return this.#look.output;
  }

  /** True if tables have no lines around them: a program reads them. */
  get isForPrograms(): boolean {
    return this.form === "name" || this.form === "csv";
  }

  /** A size for people, or with `--bytes` the number of bytes. */
  readonly size = (bytes: number): string =>
    this.form === "csv" ? String(bytes) : this.#look.bytes === true ? counted(bytes, "byte") : size(bytes);

  /** A size as the cell of a table: for a program the number of bytes. */
  readonly sizeCell = (bytes: number): Cell => (this.form === "csv" ? bytes : this.size(bytes));

  /** Sets how a command shows ids, sizes and tables, by its options. JSON has no colours. */
  show(options: Partial<LookOptions> & { readonly json?: boolean }, command: string): void {
    this.#look = options;
    this.#command = options.json === true ? "" : command;
  }

  /**
   * Ends the command at its next call of `check` or write to stdout. The pager handles Ctrl-C itself; any other signal
   * ends it too.
   */
  stop(status: number): void {
    this.#stopped ??= this.#isEndless && status === CTRL_C ? 0 : status;
    this.#stop.abort();
    this.#wake?.();
    if (status !== CTRL_C) this.#pager?.end();
  }

  /** The exit status if the command should end; otherwise undefined. */
  get stopped(): number | undefined {
    return this.#stopped;
  }

  /**
   * For a command that runs until it is stopped, so Ctrl-C is no failure. The signal aborts when the command should
   * end.
   */
  untilStopped(): AbortSignal {
    this.#isEndless = true;
    if (this.#stopped === CTRL_C) this.#stopped = 0; // pressed during the start of the program
    return this.#stop.signal;
  }

  /** Reads stdin as bytes. It ends with an error when the command should end. */
  input(): Readable {
    const { stdin } = process;
    this.#stop.signal.addEventListener("abort", () => stdin.destroy(new Stopped(this.#stopped ?? 0)));
    return stdin;
  }

  /** Call it often in long work. @throws Stopped if the command should end */
  check(): void {
    if (this.#stopped !== undefined) throw new Stopped(this.#stopped);
  }

  /**
   * Writes a line to stdout, buffered: text or JSON. Hidden characters appear as escapes, line feeds too.
   *
   * @param marks the coloured parts, in order and without overlaps
   */
  async line(text: string, marks: readonly Mark[] = []): Promise<void> {
    this.#buffer += `${this.#painted(text, marks)}\n`;
    if (this.#buffer.length >= BUFFER) await this.flush();
  }

  /** Writes a value to stdout as a line of JSON. */
  json(value: unknown): Promise<void> {
    return this.line(JSON.stringify(value));
  }

  /** Writes lines to stdout. */
  async lines(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
    for await (const line of lines) await this.line(line);
  }

  /** Writes a text to stdout, wrapped; its further lines begin with `indent` spaces. */
  wrapped(text: string, indent = 0): Promise<void> {
    return this.lines(wrapped(text, this.width, indent));
  }

  /** Writes names and values to stdout, one below the other. */
  fields(fields: Parameters<typeof fieldLines>[0]): Promise<void> {
    return this.lines(fieldLines(fields, this.width));
  }

  /** Writes the buffered lines, and waits for a slower reader. @throws Stopped */
  async flush(): Promise<void> {
    this.check();
    const text = this.#buffer;
    this.#buffer = "";
    if (text === "") return;
    this.#choosePager(text);
    await this.#write(text);
  }

  /**
   * Ends the output: waits until the user has left the pager. Call it once, last.
   */
  async close(): Promise<void> {
    if (this.#pager === undefined) return;
    this.#out.end();
    await this.#pager.ended;
    this.#pager = undefined;
    for (const line of this.#waiting.splice(0)) this.#err.write(line);
  }

  /** Starts the pager if the first output is longer than the screen. */
  #choosePager(text: string): void {
    const start = this.#startPager;
    this.#startPager = undefined;
    if (start === undefined || screenLines(text, this.width) < (this.#stdout.rows || 24)) return;
    this.#pager = start();
    this.#out = this.#pager.input;
    // Leaving the pager before the end is no failure.
    this.#out.on("error", () => this.stop(0));
  }

  /** Writes a piece of text to stdout, after the buffered lines. Line feeds and tabs stay unchanged. @throws Stopped */
  async text(piece: string): Promise<void> {
    await this.flush();
    await this.#write(
      piece
        .split(/([\n\t])/)
        .map((part) => (part === "\n" || part === "\t" ? part : visible(part)))
        .join(""),
    );
  }

  /**
   * Writes bytes to stdout, after the buffered lines: unchanged for a program, as text for a terminal.
   *
   * @throws Stopped
   */
  async bytes(piece: Uint8Array): Promise<void> {
    if (this.interactive) return this.text(this.#decoder.decode(piece, { stream: true }));
    await this.flush();
    await this.#write(piece);
  }

  async #write(piece: string | Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#out.write(piece, (error) => {
        if (error && this.#pager === undefined) this.#failed(error);
        resolve();
      });
    });
    this.#wake = undefined;
    this.check();
  }

  /** Reads typed lines, with a history, or lines of a pipe. Output then goes through no pager. */
  reader(input: Readable): Interface {
    this.#startPager = undefined;
    const output = this.interactive ? this.#stdout : undefined;
    return createInterface({ input, ...(output && { output }), terminal: this.interactive });
  }

  /** Writes a line to stderr, after the name of the program. */
  remark(text: string): void {
    this.note(`merostore: ${text}`);
  }

  /**
   * Writes a line to stderr, wrapped on a terminal. Hidden characters appear as escapes, and URLs without their
   * secrets.
   */
  note(text: string): void {
    const width = this.#err.isTTY === true ? this.#err.columns || undefined : undefined;
    const line = `${wrapped(withoutSecretsOfUrls(text), width, 2).join("\n")}\n`;
    if (this.#pager === undefined) this.#err.write(line);
    else this.#waiting.push(line);
  }

  /**
   * A progress that appears on stderr, if that is a terminal, after more than a second.
   *
   * @param the output of the command meanwhile: progress is not shown between rows on a terminal, nor with `--quiet`
   */
  progress(what: string, prints: "rows" | "nothing" | "quiet" = "nothing"): ProgressLine {
    const silent = this.#err.isTTY !== true || prints === "quiet" || (prints === "rows" && this.interactive);
    return new ProgressLine(this, this.#err, what, silent);
  }

  #painted(text: string, given: readonly Mark[]): string {
    if (!this.#colors || this.isForPrograms) return visible(text);
    const marks = given.length > 0 ? given : marksOf(this.#command, text);
    let painted = "";
    let at = 0;
    for (const { from, to, color } of marks) {
      if (from >= Math.min(to, text.length)) continue;
      painted += visible(text.slice(at, from)) + colored(visible(text.slice(from, to)), color);
      at = to;
    }
    return painted + visible(text.slice(at));
  }

  #failed(error: NodeJS.ErrnoException): void {
    if (this.#stopped !== undefined) return;
    // A closed pipe, as by `| head`, is no failure.
    if (error.code !== "EPIPE") this.remark(`stdout cannot be written: ${error.message}`);
    this.stop(error.code === "EPIPE" ? 0 : 3);
  }
}

/** The number of screen lines that a text takes. */
function screenLines(text: string, width: number | undefined): number {
  const lines = text.split("\n");
  if (width === undefined) return lines.length;
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(cellsOf(line) / width)), -1);
}

/** A line that shows the progress of a command. */
export class ProgressLine implements Disposable {
  readonly #terminal: Terminal;
  readonly #err: Output;
  readonly #what: string;
  readonly #silent: boolean;
  readonly #started = performance.now();
  #shown = this.#started;
  #visible = false;

  constructor(terminal: Terminal, err: Output, what: string, silent: boolean) {
    this.#terminal = terminal;
    this.#err = err;
    this.#what = what;
    this.#silent = silent;
  }

  /** Shows the progress: the `onProgress` for calls of the library. @throws Stopped if the command should end */
  readonly show = (progress: Progress): void => {
    this.#terminal.check();
    if (this.#silent) return;
    const now = performance.now();
    const took = now - this.#started;
    if (took < 1_000 || (this.#visible && now - this.#shown < 200)) return;
    this.#shown = now;
    this.#visible = true;
    const { total, unit } = progress;
    const share = total === undefined ? undefined : progress.done / Math.max(1, total);
    const [done, units] = unit === "bytes" ? [Math.round(progress.done / 1e6), "MB"] : [progress.done, unit];
    const rate = Math.round((done / took) * 1_000);
    const part = share === undefined ? "" : `, ${Math.floor(share * 100)}%`;
    const isKnown = share !== undefined && share >= ESTIMATE_SHARE && took >= ESTIMATE_MS;
    const left = isKnown ? `, ${duration(took * (1 / share - 1))} left` : "";
    const text = `${this.#what}: ${count(done)} ${units}${part}, ${count(rate)} ${units}/s${left}`;
    this.#err.write(`\r\x1b[K${text}`);
  };

  [Symbol.dispose](): void {
    if (this.#visible) this.#err.write("\r\x1b[K");
  }
}

/** Milliseconds for people. */
function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
