/**
 * Folders of version 1 have a file for each commit and each piece. Their content is written as packs, and a file is
 * removed once a pack with its content was read back. A device may still write such files while its copy of the folder
 * does not have the mark of version 2.
 */
import { concat } from "merostore/internal";
import { sha256WithLength } from "../../objects.js";
import { ifReadable, readAny } from "./file-store.js";
import type { FolderPage } from "./known-packs.js";
import type { PackedPiece } from "./pack-format.js";
import { FILE_NAME, type FileKind, MOST_BYTES } from "./sealed-files.js";

/** The types of the digests of pieces that have files. */
const TYPES = [0, 2, 4, 6];
/** Files and bytes that become one pack. */
const MOST_FILES = 4096;
const MOST_CONTENT = 32 << 20;
/** The most unusable files that a sync reads again. */
const MOST_AGAIN = 256;

export class OldFiles {
  readonly #parts: FolderPage;
  /** The paths of files that could not be used. */
  readonly #unusable = new Set<string>();

  constructor(parts: FolderPage) {
    this.#parts = parts;
  }

  /** Converts the files of a page: pieces before commits. */
  async convert(): Promise<void> {
    const { folder, sealed } = this.#parts;
    const shelves = await folder.list(sealed.folder);
    if (shelves.includes("pieces"))
      for (const shelf of await folder.list(`${sealed.folder}/pieces`))
        if (/^[0-9a-f]{2}$/.test(shelf)) await this.#convert("pieces", `pieces/${shelf}`);
    if (shelves.includes("commits")) await this.#convert("commits", "commits");
  }

  async #convert(kind: FileKind, shelf: string): Promise<void> {
    const { folder, sealed } = this.#parts;
    let paths: string[] = [];
    let contents: Uint8Array[] = [];
    let bytes = 0;
    const write = async (): Promise<void> => {
      if (paths.length > 0) await this.#write(kind, contents);
      for (const path of paths) await folder.remove(path);
      paths = [];
      contents = [];
      bytes = 0;
    };
    let again = 0;
    for (const name of await folder.list(`${sealed.folder}/${shelf}`)) {
      const path = `${sealed.folder}/${shelf}/${name}`;
      if (!FILE_NAME.test(name) || (this.#unusable.has(path) && again++ >= MOST_AGAIN)) continue;
      const content = await this.#content(kind, name, path);
      // The oldest ones are read again first.
      this.#unusable.delete(path);
      if (content === undefined) this.#unusable.add(path);
      else {
        paths.push(path);
        contents.push(content);
        bytes += content.length;
      }
      if (paths.length === MOST_FILES || bytes > MOST_CONTENT) await write();
    }
    await write();
    await folder.removeEmpty?.(`${sealed.folder}/${shelf}`);
    await folder.removeEmpty?.(`${sealed.folder}/${kind}`);
  }

  async #write(kind: FileKind, contents: readonly Uint8Array[]): Promise<void> {
    const { packs } = this.#parts;
    const pieces = contents.map((content): PackedPiece => ({ hash: sha256WithLength(content), content }));
    const name = await packs.write(
      kind === "commits"
        ? { replaces: [], commits: contents, pieces: [] }
        : { replaces: [], commits: [], pieces },
    );
    await packs.checkWritten(name);
  }

  /** The content of a file. For a damaged file of a commit, the page's copy, if it has one. */
  async #content(kind: FileKind, name: string, path: string): Promise<Uint8Array | undefined> {
    const { folder, sealed, page } = this.#parts;
    const read = await ifReadable(folder, async () => ({ file: await readAny(folder, path, MOST_BYTES) }));
    if (read === undefined) return undefined;
    const opened = read.file && (await sealed.open(kind, name, read.file.bytes));
    if (opened?.state === "whole" && this.#fits(kind, name, opened.content)) return opened.content;
    // The metadata of the page has the id of a commit by the name of its file.
    const id = kind === "commits" ? await page.metadata(new TextEncoder().encode(name)) : undefined;
    return id && page.commit(id);
  }

  #fits(kind: FileKind, name: string, content: Uint8Array): boolean {
    const { sealed } = this.#parts;
    const hash = sha256WithLength(content);
    if (kind === "commits") return sealed.name(kind, hash) === name;
    return TYPES.some((type) => sealed.name(kind, concat(Uint8Array.of(type), hash)) === name);
  }
}
