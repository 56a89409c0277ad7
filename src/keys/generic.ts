import { copyBytes } from "../bytes/bytes.js";
import type { Id } from "../bytes/id.js";
import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { id32, partsOf, scope16 } from "./part.js";

/** A known scope of the Generic column family. */
export interface GenericScope {
  /** ASCII, at most 16 bytes; the key pads it with 00. */
  readonly name: string;
  /** Description of the fragment and the value. */
  readonly holds: string;
  /** True if the value is a secret. */
  readonly secret: boolean;
  /** The form of the value: JSON, 32 bytes, or any other bytes. */
  readonly form: "id" | "json" | "raw";
}

/** The known scopes. Rows of any other scope are raw, and treated as secret. */
export const genericScopes: readonly GenericScope[] = [
  {
    name: "sync-in-progres",
    holds: "fragment = context id; value = root hash (32 bytes) of a snapshot sync that is not finished",
    secret: false,
    form: "id",
  },
  {
    name: "ssl_certs:server",
    holds: "fragment = zeros; value = JSON {cert, key}: the TLS private key in clear",
    secret: true,
    form: "json",
  },
  {
    name: "sse-sessions",
    holds: "fragment = session id (u64 big-endian) and zeros; value = JSON of a server-sent events session",
    secret: false,
    form: "json",
  },
  {
    name: "calimero-peercch",
    holds: "fragment = zeros; value = JSON list of peers and their addresses (core-0.11)",
    secret: false,
    form: "json",
  },
  {
    name: "calimero-idpeers",
    holds: "fragment = zeros; value = JSON of the peers of each identity (core-0.11)",
    secret: false,
    form: "json",
  },
  {
    name: "calimero-deltevh",
    holds: "fragment = digest of context and delta; value = hash of the delta's events (32 bytes, core-1.0)",
    secret: false,
    form: "id",
  },
  {
    name: "calimero-teedelt",
    holds:
      "fragment = digest of context and delta; value = the trigger that a TEE's delta follows (core-1.0)",
    secret: false,
    form: "raw",
  },
  {
    name: "calimero-teefire",
    holds: "fragment = digest of context and trigger; value = nothing: the trigger was followed (core-1.0)",
    secret: false,
    form: "raw",
  },
  {
    name: "calimero-heldops",
    holds:
      "fragment = namespace id; value = operations that wait, and a count of those not listed (core-1.0)",
    secret: false,
    form: "raw",
  },
  {
    name: "calimero-rotlate",
    holds: "fragment = digest of namespace and operation; value = its sequence (u64, core-1.0)",
    secret: false,
    form: "raw",
  },
  {
    name: "calimero-gcreatr",
    holds: "fragment = group id; value = account id of the group's creator (32 bytes, core-1.0)",
    secret: false,
    form: "id",
  },
  {
    name: "calimero-nsfound",
    holds: "fragment = namespace id; value = account id of the founder, salt of the id (64 bytes, core-1.0)",
    secret: false,
    form: "raw",
  },
  {
    name: "calimero-unrdops",
    holds:
      "fragment = digest of namespace and signer; value = bytes of operations that cannot be read (u64, core-1.0)",
    secret: false,
    form: "raw",
  },
  {
    name: "calimero-voidldg",
    holds: "fragment = digest of namespace or operation; value = operations without effect (core-1.0)",
    secret: false,
    form: "raw",
  },
  {
    name: "calimero-swrotat",
    holds: "fragment = context id; value = record of a change of writers (core-1.0)",
    secret: false,
    form: "raw",
  },
];

const bytesOf = new Map(
  genericScopes.map(({ name }) => {
    const bytes = new Uint8Array(16);
    bytes.set(new TextEncoder().encode(name));
    return [name, bytes];
  }),
);

/** Returns the 16 bytes of the name of a known scope; undefined for any other text. */
export function scopeBytes(name: string): Uint8Array | undefined {
  const bytes = bytesOf.get(name);
  return bytes && copyBytes(bytes);
}

/** Returns the known scope of 16 bytes, or undefined. */
export function genericScope(scope: Uint8Array): GenericScope | undefined {
  return genericScopes.find(({ name }) => bytesOf.get(name)?.every((byte, at) => byte === scope[at]));
}

/** The parts of a {@link Generic}. */
export interface GenericParts {
  /** The purpose of the row: 16 bytes, ASCII padded with 00. {@link scopeBytes} returns the bytes of a known scope. */
  readonly scope: Uint8Array;
  /** The bytes that tell rows of a scope apart, 32 bytes: see {@link genericScopes}. */
  readonly fragment: Id;
}

const part = partsOf<GenericParts>();

/** A row without a dedicated column family. `scope (16) ‖ fragment (32)`, 48 bytes. */
export class Generic extends keyParts(
  "Generic",
  Column.Generic,
  undefined,
  part(scope16("scope", bytesOf)),
  part(id32("fragment")),
) {}

/** @internal The key of the row that exists while the node fetches a snapshot of a context's state. */
export function snapshotKey(contextId: Uint8Array): Generic {
  return new Generic({ scope: scopeBytes("sync-in-progres") as Uint8Array, fragment: contextId });
}
