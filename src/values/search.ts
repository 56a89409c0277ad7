/** The queue of a context's search index, since core-1.0. */
import { b32, type Codec, type EnumOf, enumOf, identity, u64BigEndian, vec } from "../codec/index.js";

/** The last sequence in the queue. 8 bytes, big-endian. */
export const SearchDirtyCounterValue = u64BigEndian;
const searchDirtyValue = {
  /** Entities that changed from one root hash to the next. */
  V1: {
    /** Root hash of the state before the change, 32 bytes. */
    before: b32,
    /** Root hash of the state after the change, 32 bytes. */
    after: b32,
    /** Ids of the entities, 32 bytes each. */
    ids: vec(b32),
  },
};

/** Changed entities of a context's state. From 69 bytes. */
export const SearchDirtyValue: Codec<SearchDirtyValue> = enumOf("SearchDirty", searchDirtyValue);
export type SearchDirtyValue = EnumOf<typeof searchDirtyValue>;

/** A chunk of a file of a search index, as the index wrote it: at most 64 KiB. */
export const SearchIndexValue = identity;
