/** Ids of applications (schema 5.3, 10). 32 bytes, both revisions. */
import { b32, bytes, type Decoded, str, struct, u64 } from "../codec/index.js";
import { sha256 } from "../crypto/index.js";

const Bundle = struct("Bundle", { package: str, signerId: str });
const Module = struct("Module", { bytecode: b32, size: u64, source: str, metadata: bytes });

/**
 * The id of a bundle (a row whose signer_id is not empty): SHA-256(borsh `{package str, signer_id str}`). It is the same
 * for every version.
 */
export function bundleApplicationId(bundle: Decoded<typeof Bundle>): Uint8Array {
  return sha256(Bundle.encode({ package: bundle.package, signerId: bundle.signerId }));
}

/**
 * The id of a raw WebAssembly module (an empty signer_id): SHA-256(borsh `{bytecode b32, size u64, source str, metadata
 * bytes}`). A module that was fetched by blob sharing keeps its id with other metadata, so its row does not yield the
 * id.
 */
export function moduleApplicationId({
  bytecode,
  size,
  source,
  metadata,
}: Decoded<typeof Module>): Uint8Array {
  return sha256(Module.encode({ bytecode, size, source, metadata }));
}
