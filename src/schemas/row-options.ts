/** Options of rows: values inside raw bytes, secrets, and the keys and values that a node reads. */
import { equalBytes } from "../bytes/order.js";
import { type Codec, u64 } from "../codec/index.js";
import { indexStateKey } from "../digests/index.js";
import {
  type Alias,
  type ApplicationMeta,
  type ContextPrivateState,
  type ContextPrivateState011,
  type ContextState,
  type ContextState011,
  type Generic,
  genericScope,
  INDEX_FILE_LENGTH,
  type SearchIndex,
  type SnapshotStage,
} from "../keys/index.js";
import { entityRow } from "../layouts/index.js";
import { ChildTrieRow } from "../payloads/index.js";

/** Bytes of an entity's id. */
const ID = 32;

/**
 * Index rows of State and PrivateState: the value decodes as `index`, is canonical, and SHA-256(00 ‖ id) is the state
 * key. Entry rows contain the application's own data, which cannot be decoded.
 */
export function indexRows(index: Codec<{ readonly id: Uint8Array }>) {
  return {
    holds: {
      codec: index as Codec<unknown>,
      where: (key: ContextState011 | ContextPrivateState011, value: Uint8Array): boolean => {
        // The id comes first, which rules out most rows without decoding them.
        const id = value.subarray(0, ID);
        if (id.length < ID || !equalBytes(indexStateKey(id), key.stateKey)) return false;
        try {
          return index.canonical(value);
        } catch {
          return false;
        }
      },
    },
  };
}

/** Tags of the keys of State and PrivateState, since core-1.0. */
const ENTITY = 0;
const CHILDREN = 3;

/**
 * Rows of entities and of the tries of their children, since core-1.0. The row of an entity does not name it: the key
 * does.
 */
export const entityRows = {
  holds: {
    codec: entityRow(new Uint8Array(ID)) as Codec<unknown>,
    others: [ChildTrieRow as Codec<unknown>],
    at: ({
      tag,
      stateKey,
    }: ContextState | ContextPrivateState | SnapshotStage): Codec<unknown> | undefined => {
      if (tag === ENTITY) return entityRow(stateKey) as Codec<unknown>;
      return tag === CHILDREN ? (ChildTrieRow as Codec<unknown>) : undefined;
    },
  },
};

/** Rows of the search index that have the length of a file instead of a chunk. */
export const indexFileLengths = {
  holds: {
    codec: u64 as Codec<unknown>,
    at: ({ file }: SearchIndex): Codec<unknown> | undefined =>
      file.chunk === INDEX_FILE_LENGTH ? (u64 as Codec<unknown>) : undefined,
  },
};

/** Since core-0.11 the node fails when it reads an alias with other characters. */
export const plainAliases = {
  refused: ({ name }: Alias): string | undefined =>
    /^[A-Za-z0-9._-]+$/.test(name)
      ? undefined
      : "a name of ASCII letters, digits, full stops, underscores and hyphens, at least one",
};

/** The node fails when it reads an application whose source is not a URL: a folder needs `file://`. */
export const sourceUrl = {
  refusedValue: (_: ApplicationMeta, { source }: { readonly source: string }): string | undefined =>
    isUrl(source) ? undefined : "a source that is a URL, such as file:///path or https://host/path",
};

function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

/** Rows of Generic are secret unless their scope is known and not secret. The node parses rows of known scopes. */
export const scopes = {
  secret: ({ scope }: Generic): boolean => genericScope(scope)?.secret ?? true,
  refusedValue: ({ scope }: Generic, value: Uint8Array): string | undefined => {
    const form = genericScope(scope)?.form;
    if (form === undefined || form === "raw") return undefined;
    if (form === "id") return value.length === ID ? undefined : `${ID} bytes`;
    return isJson(value) ? undefined : "JSON";
  },
};

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(decoder.decode(bytes));
    return true;
  } catch {
    return false;
  }
}
