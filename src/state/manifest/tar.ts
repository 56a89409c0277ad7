/** Files of a tar archive, as Rust's tar, GNU tar and BSD tar write it. */
import { isZeros } from "../../bytes/bytes.js";
import { MerostoreError } from "../../errors.js";

const BLOCK = 512;
/** Headers that are read: bundles that builds write have a few. */
const MOST_HEADERS = 20_000;
/** Bytes of a long name or of extended attributes, and of all of them. */
const LONGEST_EXTENSION = 64 * 1024;
const MOST_EXTENSIONS = 1024 * 1024;

/** Types of entries. */
const FILE = ["0", "\0", "7"];
const LONG_NAME = "L";
const ATTRIBUTES = "x";

const decoder = new TextDecoder();

/** A file of an archive. */
export interface TarFile {
  /** Its path as the archive has it, without a leading `./`. */
  readonly path: string;
  /** Its content: a view of the archive. */
  readonly content: Uint8Array;
}

/**
 * The files of a tar archive, in order. Folders and links are left out.
 *
 * @throws MerostoreError `ABI_NOT_FOUND` if it is damaged
 */
export function* tarFiles(archive: Uint8Array): Generator<TarFile, void, undefined> {
  let path: string | undefined;
  let size: number | undefined;
  let [headers, extensions] = [0, 0];
  for (let at = 0; at + BLOCK <= archive.length; ) {
    headers += 1;
    if (headers > MOST_HEADERS) throw damaged(`more than ${MOST_HEADERS} headers`);
    const header = archive.subarray(at, at + BLOCK);
    if (isZeros(header)) return;
    checkSum(header, at);
    const type = String.fromCharCode(header[156] as number);
    const length = size ?? number(header.subarray(124, 136), at);
    const start = at + BLOCK;
    if (length > archive.length - start) throw damaged(`the file at byte ${at} is longer than the archive`);
    const content = archive.subarray(start, start + length);
    at = start + Math.ceil(length / BLOCK) * BLOCK;
    if (type === LONG_NAME || type === ATTRIBUTES) {
      extensions += length;
      if (length > LONGEST_EXTENSION || extensions > MOST_EXTENSIONS)
        throw damaged(`the names and attributes at byte ${at} are too long`);
    }
    if (type === LONG_NAME) path = text(content);
    else if (type === ATTRIBUTES) {
      const found = attributes(content);
      path = found.get("path") ?? path;
      size = found.has("size") ? Number(found.get("size")) : size;
      if (size !== undefined && !Number.isSafeInteger(size))
        throw damaged(`a size at byte ${start} is not a number`);
    } else {
      if (FILE.includes(type)) yield { path: (path ?? nameOf(header)).replace(/^(\.\/)+/, ""), content };
      path = undefined;
      size = undefined;
    }
  }
}

/** The sum of the header's bytes, its own eight taken for spaces. */
function checkSum(header: Uint8Array, at: number): void {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (sum !== number(header.subarray(148, 156), at)) throw damaged(`no header of a file at byte ${at}`);
}

/** A number: octal digits, or big-endian bytes after 0x80. */
function number(field: Uint8Array, at: number): number {
  if (field[0] === 0x80) {
    const value = field.subarray(1).reduce((total, byte) => total * 256 + byte, 0);
    if (Number.isSafeInteger(value)) return value;
  } else {
    const digits = /^ *([0-7]+) *$/.exec(text(field))?.[1];
    if (digits !== undefined) return Number.parseInt(digits, 8);
  }
  throw damaged(`a number in the header at byte ${at} cannot be read`);
}

function nameOf(header: Uint8Array): string {
  const name = text(header.subarray(0, 100));
  // GNU's own format has other fields in the place of the prefix.
  const isPosix = text(header.subarray(257, 263)) === "ustar" && header[262] === 0;
  const prefix = isPosix ? text(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** The text up to the first zero byte. */
function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end === -1 ? bytes : bytes.subarray(0, end));
}

/** Extended attributes: `length name=value\n`, with the length of the whole line. */
function attributes(content: Uint8Array): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const line = /^(\d{1,9}) /.exec(decoder.decode(content.subarray(at, at + 10)));
    const length = Number(line?.[1]);
    if (line === null || length <= line[0].length || at + length > content.length)
      throw damaged("an extended header cannot be read");
    const [name = "", ...value] = decoder
      .decode(content.subarray(at + line[0].length, at + length - 1))
      .split("=");
    found.set(name, value.join("="));
    at += length;
  }
  return found;
}

function damaged(problem: string): MerostoreError {
  return new MerostoreError("ABI_NOT_FOUND", `the bundle is damaged: ${problem}`);
}
