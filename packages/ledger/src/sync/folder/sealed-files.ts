/**
 * The files of a shared folder, as bytes:
 *
 *     "MLC1" ‖ form (1) ‖ bytes after this field (u32, little-endian) ‖ SHA-256 of place and content (32) ‖ content
 *     "MLC1" ‖ form (1) ‖ bytes after this field (u32, little-endian) ‖ nonce (12) ‖ AES-256-GCM of the content ‖ tag (16)
 *
 * The form is 0 without a key and 1 with one. The place is the path of the file within the folder: a file that somebody moved
 * or renamed is damaged. Names are HMACs under a key that is derived from the user's, so they reveal neither ids nor contents;
 * without a key everybody can compute them.
 */
import {
  type AesGcmKey,
  aesGcmKey,
  concat,
  copyBytes,
  equalBytes,
  hkdfSha256,
  hmacSha256,
  sha256,
  toHex,
} from "merostore/internal";

/** The content of a file: a commit, or a piece of a value or of a tree node. */
export type FileKind = "commits" | "pieces";

/** The folder of a file within its page's. */
type Shelf = FileKind | "repairs";

/** The bytes of a file, opened. */
export type Opened =
  | { readonly state: "whole"; readonly content: Uint8Array }
  /** The file has fewer bytes than it says. */
  | { readonly state: "incomplete" }
  | { readonly state: "damaged" };

/** The most bytes of a file: a piece or a commit is smaller. */
export const MOST_BYTES = 1 << 17;
/** Bytes of a key. */
export const KEY_SIZE = 32;

const encoder = new TextEncoder();
const MAGIC = encoder.encode("MLC1");
const HEADER_SIZE = MAGIC.length + 1 + 4;
const HASH_SIZE = 32;
const NONCE_SIZE = 12;
/** Hex digits of names. */
const NAME_DIGITS = 40;

/** Names and seals the files of all pages in a folder. */
export class FolderKeys {
  /** 32 zero bytes without a key of the user. */
  readonly #key: Uint8Array;
  readonly isEncrypted: boolean;

  constructor(key: Uint8Array | undefined) {
    this.isEncrypted = key !== undefined;
    this.#key = key === undefined ? new Uint8Array(KEY_SIZE) : copyBytes(key);
  }

  /** The check of the key in the mark of the folder: 32 hex digits. */
  get check(): string {
    return toHex(this.#derive("check")).slice(0, 32);
  }

  /** The files of a page. */
  page(ledger: string, id: Uint8Array): SealedFiles {
    const folder = hmacName(this.#derive("pages"), JSON.stringify([ledger, toHex(id)]));
    const data = this.isEncrypted ? aesGcmKey(this.#derive(`data ${folder}`)) : undefined;
    return new SealedFiles(folder, this.#derive(`names ${folder}`), data);
  }

  #derive(purpose: string): Uint8Array {
    const info = encoder.encode(`merostore ledger folder ${purpose}`);
    return hkdfSha256({ key: this.#key, info, length: KEY_SIZE });
  }
}

/** Names, seals and opens the files of one page. */
export class SealedFiles {
  /** The name of the page's folder. */
  readonly folder: string;
  readonly #names: Uint8Array;
  readonly #data: AesGcmKey | undefined;

  constructor(folder: string, names: Uint8Array, data: AesGcmKey | undefined) {
    this.folder = folder;
    this.#names = names;
    this.#data = data;
  }

  /** The name of the file of a commit or piece with this id. */
  name(kind: FileKind, id: Uint8Array): string {
    return hmacName(this.#names, `${kind} ${toHex(id)}`);
  }

  /** Returns whether a name may be one of these files. */
  isName(name: string): boolean {
    return name.length === NAME_DIGITS && /^[0-9a-f]*$/.test(name);
  }

  async seal(shelf: Shelf, name: string, content: Uint8Array): Promise<Uint8Array> {
    const body = await this.sealPart(`${shelf}/${name}`, content);
    const header = new Uint8Array(HEADER_SIZE);
    header.set(MAGIC);
    header[MAGIC.length] = this.form;
    new DataView(header.buffer).setUint32(MAGIC.length + 1, body.length, true);
    return concat(header, body);
  }

  /** Seals a content without a header. The place is its path within the page's folder. */
  async sealPart(place: string, content: Uint8Array): Promise<Uint8Array> {
    const bytes = this.#place(place);
    return this.#data === undefined
      ? concat(sha256(bytes, content), content)
      : this.#encrypt(this.#data, bytes, content);
  }

  /** Opens what {@link SealedFiles.sealPart} has made. Undefined if it is damaged. */
  openPart(place: string, body: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#content(this.#place(place), body);
  }

  async open(shelf: Shelf, name: string, bytes: Uint8Array): Promise<Opened> {
    if (!equalBytes(bytes.subarray(0, MAGIC.length), MAGIC.subarray(0, bytes.length)))
      return { state: "damaged" };
    if (bytes.length < HEADER_SIZE) return { state: "incomplete" };
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const size = view.getUint32(MAGIC.length + 1, true);
    if (bytes[MAGIC.length] !== this.form || size > MOST_BYTES) return { state: "damaged" };
    const body = bytes.subarray(HEADER_SIZE);
    if (body.length < size) return { state: "incomplete" };
    const content = body.length === size ? await this.openPart(`${shelf}/${name}`, body) : undefined;
    return content === undefined ? { state: "damaged" } : { state: "whole", content };
  }

  /** 0 without a key, 1 with one. */
  get form(): number {
    return this.#data === undefined ? 0 : 1;
  }

  #place(place: string): Uint8Array {
    return encoder.encode(`${this.folder}/${place}`);
  }

  async #encrypt(key: AesGcmKey, associatedData: Uint8Array, content: Uint8Array): Promise<Uint8Array> {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_SIZE));
    return concat(nonce, await key.encrypt(nonce, content, associatedData));
  }

  async #content(place: Uint8Array, body: Uint8Array): Promise<Uint8Array | undefined> {
    if (this.#data === undefined) {
      const content = body.subarray(HASH_SIZE);
      return equalBytes(sha256(place, content), body.subarray(0, HASH_SIZE)) ? copyBytes(content) : undefined;
    }
    const [content] = await this.#data.decrypt([
      { nonce: body.subarray(0, NONCE_SIZE), ciphertext: body.subarray(NONCE_SIZE), associatedData: place },
    ]);
    return content && copyBytes(content);
  }
}

function hmacName(key: Uint8Array, text: string): string {
  return toHex(hmacSha256(key, encoder.encode(text))).slice(0, NAME_DIGITS);
}
