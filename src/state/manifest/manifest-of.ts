/** A manifest from any file that can hold one. */
import { isByteArray } from "../../bytes/bytes.js";
import { checkArgument } from "../../options.js";
import { type BundleOptions, manifestOfBundle } from "./bundle.js";
import { isGzip } from "./gunzip.js";
import type { Manifest } from "./manifest.js";
import { parseManifest } from "./parse.js";
import { isWasm, manifestOfWasm } from "./wasm.js";

/**
 * The manifest in the bytes of a WebAssembly module, of a bundle, or of JSON text. The first bytes tell which.
 *
 * @throws MerostoreError as {@link manifestOfWasm}, {@link manifestOfBundle} and {@link parseManifest}
 */
export async function manifestOf(bytes: Uint8Array, options: BundleOptions = {}): Promise<Manifest> {
  checkArgument("manifestOf", bytes, isByteArray);
  if (isWasm(bytes)) return manifestOfWasm(bytes);
  return isGzip(bytes) ? manifestOfBundle(bytes, options) : parseManifest(bytes);
}
