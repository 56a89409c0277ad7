/** The manifest in a WebAssembly module: custom sections named `calimero_abi_v1`, each with a manifest's JSON. */
import { isByteArray } from "../../bytes/bytes.js";
import { MerostoreError } from "../../errors.js";
import { checkArgument } from "../../options.js";
import type { Manifest } from "./manifest.js";
import { ManifestError } from "./manifest-error.js";
import { parseManifest } from "./parse.js";

const SECTION = "calimero_abi_v1";
/** `\0asm`, and the version 1. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const HEADER = [...MAGIC, 0x01, 0x00, 0x00, 0x00];
const CUSTOM = 0;

/** Sections with the name: builds write one. */
const MOST_MANIFESTS = 64;
/** Bytes of them, all together. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Sections of a module: compilers write a few dozen. */
const MOST_SECTIONS = 100_000;

/** Returns true if bytes begin as a WebAssembly module does. */
export function isWasm(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, at) => bytes[at] === byte);
}

/**
 * The manifest in a WebAssembly module. The last section with a manifest counts; sections without a manifest are
 * ignored.
 *
 * @throws MerostoreError `ABI_NOT_FOUND` if the bytes are not a module, or no section has a manifest;
 * `ABI_UNSUPPORTED_VERSION` if all manifests have unknown versions
 */
export function manifestOfWasm(bytes: Uint8Array): Manifest {
  checkArgument("manifestOfWasm", bytes, isByteArray);
  let problem: ManifestError | undefined;
  let unsupported: ManifestError | undefined;
  for (const section of [...abiSections(bytes)].reverse()) {
    try {
      return parseManifest(section);
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      if (error.code === "ABI_UNSUPPORTED_VERSION") unsupported ??= error;
      else problem ??= error;
    }
  }
  if (unsupported !== undefined) throw unsupported;
  throw notFound(
    problem === undefined
      ? `the module has no section ${SECTION}, which only \`cargo mero build\` writes: name the JSON of the manifest`
      : `the section ${SECTION} of the module holds no manifest: ${problem.message}`,
  );
}

/** The contents of the sections with the name, in order. */
function* abiSections(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  if (!HEADER.every((byte, at) => bytes[at] === byte))
    throw notFound("not a WebAssembly module of version 1");
  let [sections, manifests, length] = [0, 0, 0];
  for (let at = HEADER.length; at < bytes.length; ) {
    sections += 1;
    if (sections > MOST_SECTIONS) throw notFound(`the module has more than ${MOST_SECTIONS} sections`);
    const id = bytes[at];
    const size = leb128(bytes, at + 1);
    const end = size.end + size.value;
    if (end > bytes.length) throw cut(at);
    if (id === CUSTOM) {
      const name = leb128(bytes, size.end);
      const content = name.end + name.value;
      if (content > end) throw cut(size.end);
      if (isName(bytes.subarray(name.end, content))) {
        manifests += 1;
        length += end - content;
        if (manifests > MOST_MANIFESTS || length > MOST_BYTES)
          throw notFound(`the module has too many sections ${SECTION}, or too large ones`);
        yield bytes.subarray(content, end);
      }
    }
    at = end;
  }
}

function isName(bytes: Uint8Array): boolean {
  if (bytes.length !== SECTION.length) return false;
  return bytes.every((byte, at) => byte === SECTION.charCodeAt(at));
}

/** An unsigned number of at most 32 bits, 7 in each byte, the lowest first. */
function leb128(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start, scale = 1; at < start + 5; at++, scale *= 128) {
    const byte = bytes[at];
    if (byte === undefined) throw cut(start);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) {
      if (value > 0xffff_ffff) break;
      return { value, end: at + 1 };
    }
  }
  throw notFound(`the module is damaged: the number at byte ${start} has more than 32 bits`);
}

function cut(at: number): MerostoreError {
  return notFound(`the module is damaged: the section at byte ${at} is longer than the module`);
}

function notFound(problem: string): MerostoreError {
  return new MerostoreError("ABI_NOT_FOUND", problem);
}
