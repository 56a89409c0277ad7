/** Decompresses Zstandard frames, with and without a dictionary, with the reference implementation in WebAssembly. */

import { wordAt } from "../../bytes/bytes.js";
import { loadFailure, notInstalled } from "../optional-package.js";
import { MalformedBytes, UnreadableFormat } from "./byte-cursor.js";
import { readFrameBlocks, readFrameHeader } from "./zstd-frame.js";

const PACKAGE = "@bokuweb/zstd-wasm@0.0.27";

/** The first bytes of a trained dictionary; its id follows. Other dictionaries are plain bytes and have no id. */
export const DICTIONARY_MAGIC = 0xec30a437;

/** The memory of the library can grow to 2 GiB. */
const LARGEST = 256 * 1024 * 1024;

const NOTHING = new Uint8Array(0);

/** @param size bytes of the contents. @throws MalformedBytes, UnreadableFormat */
type ExpandZstd = (frame: Uint8Array, size: number, dictionary?: Uint8Array) => Uint8Array;

let loading: Promise<ExpandZstd> | undefined;

/** Loads the package. @throws UnreadableFormat if it is not installed, or WebAssembly is not available */
export function loadZstd(): Promise<ExpandZstd> {
  loading ??= load();
  return loading;
}

async function load(): Promise<ExpandZstd> {
  try {
    const { init, createDCtx, decompressUsingDict } = await import("@bokuweb/zstd-wasm").catch(
      (error: unknown) => {
        throw failure(error, notInstalled(PACKAGE)); // the messages of bundlers and browsers differ
      },
    );
    checkWebAssembly();
    await inTime(
      init().catch((error: unknown) => {
        // A bundle for Node may have the script without its `.wasm` file.
        throw failure(
          error,
          "it does not work inside a bundle for Node: leave it out, and install it beside",
        );
      }),
    );
    const context = createDCtx();
    return (frame, size, dictionary = NOTHING) => {
      checkFrame(frame, size, dictionary);
      return decompressUsingDict(context, frame, dictionary, { defaultHeapSize: size });
    };
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** The smallest WebAssembly module, to find out whether the policy of a page forbids compiling. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

function checkWebAssembly(): void {
  try {
    new WebAssembly.Module(EMPTY_MODULE);
  } catch (error) {
    throw failure(error, "WebAssembly is not available here (a page must allow 'wasm-unsafe-eval')");
  }
}

/** The most milliseconds for loading the module. */
const LONGEST_MS = 60_000;

/** Fails after a time: if its module cannot be fetched, the package only prints a warning, and never settles. */
async function inTime(initialised: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no answer within ${LONGEST_MS / 1000} seconds`);
      reject(failure(error, "its file zstd.wasm must be beside the script"));
    }, LONGEST_MS);
  });
  await Promise.race([initialised, late]).finally(() => clearTimeout(timer));
}

function failure(error: unknown, reason: string): UnreadableFormat {
  const remedy = loadFailure({ spec: PACKAGE, reasonOf: () => reason }, error);
  return new UnreadableFormat("blocks are compressed", remedy);
}

/**
 * Checks the declared size of a frame before the library allocates the memory.
 *
 * @throws MalformedBytes, UnreadableFormat
 */
function checkFrame(frame: Uint8Array, size: number, dictionary: Uint8Array): void {
  if (frame.length + size + dictionary.length > LARGEST)
    throw new UnreadableFormat(`a block has ${size} decompressed bytes`);
  const { id, declared, at } = readFrameHeader(frame);
  const known = idOf(dictionary);
  if (id !== 0 && id !== known)
    throw new MalformedBytes(`it needs the dictionary ${id}, and the table has ${known || "none"}`);
  if (declared !== undefined && declared !== size)
    throw new MalformedBytes("the size of the frame is not the declared size");
  if (size > readFrameBlocks(frame, at).most) throw new MalformedBytes("its size is impossible");
}

/** Returns the id of a trained dictionary; 0 for other bytes. */
function idOf(dictionary: Uint8Array): number {
  return dictionary.length >= 8 && wordAt(dictionary, 0) === DICTIONARY_MAGIC ? wordAt(dictionary, 4) : 0;
}
