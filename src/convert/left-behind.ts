/** The file of rows that a conversion leaves behind. It holds private keys: only its owner may read it. */
import { existsSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { toHex } from "../bytes/hex.js";
import { toJsonLine } from "../bytes/visible.js";
import type { Json } from "../codec/index.js";
import { PRIVATE_FILE } from "../disk/access.js";
import { realPath } from "../disk/outside.js";
import { syncFolder, withMessage } from "../disk/sync-folder.js";
import { removeUnfinished, unfinishedPath } from "../disk/unfinished.js";
import { MerostoreError } from "../errors.js";
import { core010, rowToJson } from "../schemas/index.js";

/** Bytes that are collected before they are written. */
const PIECE = 256 * 1024;

/** The path of the file beside a new database. */
export function leftBehindPath(database: string): string {
  return `${realPath(database)}.left-behind.ndjson`;
}

/** Throws if an earlier conversion left rows at a path. */
export function checkLeftBehind(path: string): void {
  if (existsSync(path))
    throw new MerostoreError(
      "DATABASE_EXISTS",
      `${path} is there, with the rows that an earlier conversion left behind: move it away`,
    );
}

/** Writes rows as lines of JSON into a file that gets its name when it is complete. */
export class LeftBehind {
  readonly path: string;
  /** Lines written so far. */
  lines = 0;
  readonly #made: string;
  readonly #file: FileHandle;
  #pending: string[] = [];
  #size = 0;
  #isNamed = false;

  private constructor(path: string, made: string, file: FileHandle) {
    this.path = path;
    this.#made = made;
    this.#file = file;
  }

  static async create(path: string): Promise<LeftBehind> {
    const folder = dirname(path);
    await removeUnfinished(folder);
    const made = unfinishedPath(folder, basename(path), "writing");
    const file = await withMessage(`${path} cannot be written`, () => open(made, "wx", PRIVATE_FILE));
    return new LeftBehind(path, made, file);
  }

  /** Keeps a whole row. */
  async row(column: string, row: { readonly key: Uint8Array; readonly value: Uint8Array }, why: string) {
    await this.#line({ ...rowToJson(core010, column, row, { revealSecrets: true }), why });
  }

  /** Keeps the fields of a row that was converted without them. */
  async fields(
    column: string,
    kind: string,
    key: Uint8Array,
    lost: Readonly<Record<string, Json>>,
    why: string,
  ) {
    await this.#line({ column, kind, key: toHex(key), lost, why });
  }

  /** Completes the file and gives it its name. A file without lines is removed. */
  async finish(): Promise<void> {
    await this.#flush();
    await this.#file.sync();
    await this.#file.close();
    if (this.lines === 0) return rm(this.#made, { force: true });
    checkLeftBehind(this.path);
    await withMessage(`${this.path} cannot be written`, () => rename(this.#made, this.path));
    this.#isNamed = true;
    await syncFolder(dirname(this.path));
  }

  /** Removes the file, complete or not. */
  async remove(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#isNamed ? this.path : this.#made, { force: true });
  }

  async #line(form: object): Promise<void> {
    const line = `${toJsonLine(form)}\n`;
    this.lines++;
    this.#pending.push(line);
    this.#size += line.length;
    if (this.#size >= PIECE) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#size = 0;
    await withMessage(`${this.path} cannot be written`, () => this.#file.appendFile(text));
  }
}
