/**
 * The files of a shared folder, as bytes:
 *
 *     "MLC1" ‖ form (1) ‖ bytes after this field (u32, little-endian) ‖ SHA-256 of place and content (32) ‖ content
 *     "MLC1" ‖ form (1) ‖ bytes after this field (u32, little-endian) ‖ nonce (12) ‖ AES-256-GCM of the content ‖ tag (16)
 *
 * The form is 0 without a key, 1 with one and 2 with the key of devices. The place is the path of the file within the
 * folder: a moved or renamed file counts as damaged. Names are HMACs under a key that is derived from the user's, so
 * they reveal neither ids nor contents; without a key everybody can compute them.
 */
import {
  type AesGcmKey,
  aesGcmKey,
  concat,
  copyBytes,
  equalBytes,
  hkdfSha256,
  hmacSha256,
  isBytes,
  sha256,
  toHex,
} from "merostore/internal";

/** The kinds of files: a commit, or a piece of a value or of a tree node. */
export type FileKind = "commits" | "pieces";

/** The folder of a file within its page's. */
type Shelf = FileKind | "repairs";

/** The bytes of a file, opened. */
export type Opened =
  | { readonly state: "whole"; readonly content: Uint8Array }
  /** The file has fewer bytes than its header names. */
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
/** The names of packs, and of pages' folders. */
export const FILE_NAME = /^[0-9a-f]{40}$/;

/** The rights and keys of devices, if the folder has devices. */
export interface PackRights {
  /** The folder's keys by their epochs, from 1. @throws MerostoreError NETWORK_ERROR if they are not known yet */
  readonly secrets: readonly Uint8Array[];
  /** The public key of this device, 32 bytes. */
  readonly writer: Uint8Array;
  /** Signs a pack by its id. */
  sign(id: Uint8Array): Uint8Array;
  /** Returns whether a device has signed a pack and may have written it. */
  accepts(writer: Uint8Array, id: Uint8Array, signature: Uint8Array): boolean;
}

/** Names and seals the files of all pages in a folder. */
export class FolderKeys {
  readonly #secrets: () => readonly Uint8Array[];
  readonly isEncrypted: boolean;
  readonly rights: PackRights | undefined;

  /** @param key 32 bytes, or the rights of devices, which have the keys; without it, files are not encrypted */
  constructor(key: Uint8Array | PackRights | undefined) {
    this.isEncrypted = key !== undefined;
    this.rights = key === undefined || isBytes(key) ? undefined : key;
    const only = isBytes(key) ? copyBytes(key) : new Uint8Array(KEY_SIZE);
    this.#secrets = () => this.rights?.secrets ?? [only];
  }

  /**
   * The check of the key in the mark of the folder: 32 hex digits; none with devices, because the mark exists before
   * the keys.
   */
  get check(): string {
    return this.rights === undefined ? toHex(this.derive("check")).slice(0, 32) : "";
  }

  /** 0 without a key, 1 with one, 2 with devices. */
  get form(): number {
    return this.rights !== undefined ? 2 : this.isEncrypted ? 1 : 0;
  }

  /** The newest epoch. */
  get epoch(): number {
    return this.#secrets().length;
  }

  /** The files of a page. */
  page(ledger: string, id: Uint8Array): SealedFiles {
    return new SealedFiles(this, JSON.stringify([ledger, toHex(id)]));
  }

  /** Derives a key from the key of an epoch. Names use the first epoch, so they never change. */
  derive(purpose: string, epoch = 1): Uint8Array {
    const info = encoder.encode(`merostore ledger folder ${purpose}`);
    return hkdfSha256({ key: this.#secrets()[epoch - 1] as Uint8Array, info, length: KEY_SIZE });
  }
}

/** Names, seals and opens the files of one page. With devices, that needs their keys: {@link PackRights.secrets}. */
export class SealedFiles {
  readonly #keys: FolderKeys;
  readonly #page: string;
  #folder: string | undefined;
  #names: Uint8Array | undefined;
  readonly #data = new Map<number, AesGcmKey>();

  constructor(keys: FolderKeys, page: string) {
    this.#keys = keys;
    this.#page = page;
  }

  /** The name of the page's folder. */
  get folder(): string {
    this.#folder ??= hmacName(this.#keys.derive("pages"), this.#page);
    return this.#folder;
  }

  get rights(): PackRights | undefined {
    return this.#keys.rights;
  }

  /** The epoch of the key with which files are sealed now. */
  get epoch(): number {
    return this.#keys.epoch;
  }

  /** The name of the file of a commit or piece with this id. */
  name(kind: FileKind, id: Uint8Array): string {
    this.#names ??= this.#keys.derive(`names ${this.folder}`);
    return hmacName(this.#names, `${kind} ${toHex(id)}`);
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
    const key = this.#key(this.epoch);
    if (key === undefined) return concat(sha256(bytes, content), content);
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_SIZE));
    return concat(nonce, await key.encrypt(nonce, content, bytes));
  }

  /** Opens the result of {@link SealedFiles.sealPart}. Undefined if it is damaged. */
  async openPart(place: string, body: Uint8Array, epoch = this.epoch): Promise<Uint8Array | undefined> {
    const bytes = this.#place(place);
    const key = this.#key(epoch);
    if (key === undefined) {
      const content = body.subarray(HASH_SIZE);
      return equalBytes(sha256(bytes, content), body.subarray(0, HASH_SIZE)) ? copyBytes(content) : undefined;
    }
    const [content] = await key.decrypt([
      { nonce: body.subarray(0, NONCE_SIZE), ciphertext: body.subarray(NONCE_SIZE), associatedData: bytes },
    ]);
    return content && copyBytes(content);
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

  get form(): number {
    return this.#keys.form;
  }

  #place(place: string): Uint8Array {
    return encoder.encode(`${this.folder}/${place}`);
  }

  /** The key of an epoch; undefined for files that are not encrypted. */
  #key(epoch: number): AesGcmKey | undefined {
    if (!this.#keys.isEncrypted) return undefined;
    let key = this.#data.get(epoch);
    if (key === undefined) {
      key = aesGcmKey(this.#keys.derive(`data ${this.folder}`, epoch));
      this.#data.set(epoch, key);
    }
    return key;
  }
}

function hmacName(key: Uint8Array, text: string): string {
  return toHex(hmacSha256(key, encoder.encode(text))).slice(0, NAME_DIGITS);
}
