/** Unpacking gzip, in Node and in browsers. */
import { concatAll } from "../../bytes/concat.js";
import { MerostoreError } from "../../errors.js";

/** Every file may unpack to this many bytes, a larger one to this many times its size: modules pack to a third. */
const FREE_BYTES = 16 * 1024 * 1024;
const MOST_GROWTH = 20;
/** No file may unpack to more: nodes load no larger bundle. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Returns true if bytes begin as a gzip file does. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * The content of a gzip file.
 *
 * @throws MerostoreError `ABI_NOT_FOUND` if it is damaged, or unpacks to far more than its size
 */
export async function gunzip(packed: Uint8Array): Promise<Uint8Array> {
  const most = Math.min(MOST_BYTES, Math.max(FREE_BYTES, MOST_GROWTH * packed.length));
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  // Errors of writing appear in reading too.
  const written = writer.write(packed).then(() => writer.close());
  written.catch(() => undefined);
  const pieces: Uint8Array[] = [];
  let length = 0;
  const reader = stream.readable.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value);
      length += next.value.length;
      if (length > most)
        throw new MerostoreError("ABI_NOT_FOUND", `the bundle unpacks to more than ${most} bytes`);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    if (error instanceof MerostoreError) throw error;
    throw new MerostoreError("ABI_NOT_FOUND", "the bundle is damaged: it does not unpack with gzip", {
      cause: error,
    });
  }
  return concatAll(pieces);
}
