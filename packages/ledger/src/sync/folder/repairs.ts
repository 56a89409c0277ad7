/**
 * Requests for the repair of damaged packs. A device that cannot use a pack leaves a request in the folder: perhaps
 * only others have the content, and they do not read a known pack again. A device with the content writes it as a new
 * pack, which replaces the damaged one, and removes the request. A request for a piece that no pack has names its
 * digest.
 */
import { isMerostoreError } from "merostore/internal";
import { DIGEST_SIZE, isInline, type ObjectDigest } from "../../objects.js";
import { decodeCommit } from "../../tables/commit-table.js";
import type { CommitBytes } from "../cloud.js";
import { ownPiece, ReachablePieces } from "../lost-commits.js";
import { readAny } from "./file-store.js";
import { type FolderPage, PackWriter } from "./known-packs.js";
import { MOST_BYTES } from "./sealed-files.js";

const REPAIRS = "repairs";
/** The most requests of a device until its page is closed, and the most that a sync answers. */
const MOST = 256;
const NAME = /^(packs|pieces)-([0-9a-f]{40})$/;

export class Repairs {
  readonly #parts: FolderPage;
  /** The requests of this device. */
  readonly #asked = new Set<string>();

  constructor(parts: FolderPage) {
    this.#parts = parts;
  }

  /** Asks for the content of a damaged pack. */
  askForPack(name: string): Promise<void> {
    return this.#ask(`packs-${name}`, new Uint8Array(0));
  }

  /** Asks for a piece that is damaged, or in no pack. */
  askForPiece(digest: ObjectDigest): Promise<void> {
    // The request contains the digest, because names do not reveal digests.
    return this.#ask(`pieces-${this.#parts.sealed.name("pieces", digest)}`, digest);
  }

  /** Writes again the requested packs and pieces that the page has. */
  async answer(): Promise<void> {
    const { folder, mayWrite } = this.#parts;
    if (!mayWrite()) return;
    const names = await folder.list(this.#folder);
    if (names.length === 0) return;
    // Starts at a random request: perhaps no device can answer the first ones.
    const start = Math.floor(Math.random() * names.length);
    const answered: string[] = [];
    const writer = new PackWriter(this.#parts);
    for (const request of [...names.slice(start), ...names.slice(0, start)].slice(0, MOST)) {
      const [, kind, name] = NAME.exec(request) ?? [];
      const digest = kind === undefined ? undefined : await this.#opened(request);
      if (name === undefined || digest === undefined) continue;
      if (kind === "packs") {
        if (await this.replace(name)) await folder.remove(this.#path(request));
        continue;
      }
      const content = await this.#piece(name, digest);
      if (content === undefined) continue;
      await writer.addPiece({ hash: digest.subarray(1), content });
      answered.push(request);
    }
    await writer.end();
    for (const request of answered) await folder.remove(this.#path(request));
  }

  /**
   * Writes the content of a pack again, if the page has its commits: the commits, and the pieces of their trees that no
   * other pack has.
   * @returns whether it was written
   */
  async replace(name: string): Promise<boolean> {
    const { page, packs, known } = this.#parts;
    const commits: CommitBytes[] = [];
    for (const id of await known.ids(name)) {
      const bytes = await page.commit(id);
      if (bytes === undefined) return false;
      commits.push({ id, bytes });
    }
    if (commits.length === 0) return false;
    const writer = new PackWriter(this.#parts);
    const hasElsewhere = await packs.finder(name);
    const pieces = new ReachablePieces(page, async (piece) => {
      if (!hasElsewhere(piece.hash)) await writer.addPiece(piece);
    });
    for (const { bytes } of commits) await pieces.tree(decodeCommit(bytes).root);
    for (const commit of commits) await writer.addCommit(commit);
    await writer.end([name]);
    return true;
  }

  async #ask(request: string, digest: Uint8Array): Promise<void> {
    const { folder, sealed, mayWrite } = this.#parts;
    if (this.#asked.has(request) || this.#asked.size === MOST || !mayWrite()) return;
    try {
      await folder.write(this.#path(request), await sealed.seal(REPAIRS, request, digest));
      this.#asked.add(request);
    } catch (error) {
      // The next sync asks again.
      if (!isMerostoreError(error, "NETWORK_ERROR")) throw error;
    }
  }

  /** Opens a request: returns the digest of a piece, or no bytes for a pack. Undefined if it is not whole. */
  async #opened(request: string): Promise<Uint8Array | undefined> {
    const { folder, sealed } = this.#parts;
    const found = await readAny(folder, this.#path(request), MOST_BYTES);
    const opened = found && (await sealed.open(REPAIRS, request, found.bytes));
    return opened?.state === "whole" ? opened.content : undefined;
  }

  /** Returns a requested piece; undefined if the page does not have it. */
  async #piece(name: string, digest: Uint8Array): Promise<Uint8Array | undefined> {
    const { page, sealed } = this.#parts;
    // Without a key of the folder, anybody can write a request with any bytes.
    if (digest.length !== DIGEST_SIZE || isInline(digest) || sealed.name("pieces", digest) !== name)
      return undefined;
    return ownPiece(page, { keyIndex: 0, digest });
  }

  get #folder(): string {
    return `${this.#parts.sealed.folder}/${REPAIRS}`;
  }

  #path(request: string): string {
    return `${this.#folder}/${request}`;
  }
}
