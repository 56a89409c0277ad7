/** Conversions of the rows of contexts, blobs and applications. */
import { isZeros } from "../bytes/bytes.js";
import { concat } from "../bytes/concat.js";
import { Payload } from "../codec/index.js";
import { ApplicationMeta, BlobMeta, ContextDagDelta, ContextIdentity } from "../keys/index.js";
import { type Action011, ActionList011 } from "../payloads/index.js";
import { core010 } from "../schemas/index.js";
import {
  ApplicationMetaValue,
  BlobMetaValue,
  ContextDagDeltaValue011,
  ContextIdentityValue,
} from "../values/index.js";
import { type Conversions, copied, newRow, unchanged } from "./conversion.js";
import { action011, namesOwner } from "./entities.js";

const ROOT_HASH = 32;

/** The conversions of the rows of contexts, blobs and applications, and of names and settings. */
export const contextRows = {
  ContextConfig: copied("Counters of contexts are read."),
  Alias: copied(
    "Aliases are read. One that is empty or has other characters than letters, digits, dot, hyphen and underscore cannot be used any more.",
  ),
  Generic: copied("Settings of the node are read."),
  ContextMeta: {
    unconverted: "reads",
    means:
      "Contexts, their applications and heads are known. The root hash follows the old rule: a node of core-0.11 computes another one for most contexts.",
    async convert(row, tools) {
      const { key, value, valueBytes } = row;
      const isUnset = isZeros(value.rootHash);
      const root = isUnset ? undefined : await tools.rootHash(key.contextId);
      if (root === undefined) return { rows: [unchanged(row)] };
      const rest = valueBytes.subarray(ROOT_HASH + root.length);
      return { rows: [{ ...unchanged(row), value: concat(valueBytes.subarray(0, ROOT_HASH), root, rest) }] };
    },
  },
  ContextIdentity: {
    unconverted: "reads",
    means: "The node has no identity in its contexts: it cannot sign for them.",
    convert({ keyBytes, value, fields }) {
      const row = newRow(ContextIdentity.COLUMN, keyBytes, ContextIdentityValue, {
        privateKey: value.privateKey,
      });
      if (value.senderKey === null) return { rows: [row] };
      return {
        rows: [row],
        lost: { fields: fields("senderKey"), why: "core-0.11 has no sender keys, and does not use them" },
      };
    },
  },
  ContextState: {
    unconverted: "reads",
    means:
      "The data of entries is there, but the tree that leads to it cannot be read: contexts look empty. A node does not fetch their state from others either, because they have a root hash.",
    convert: "tree",
  },
  ContextPrivateState: {
    unconverted: "reads",
    means: "The application reads its own bytes.",
    convert(old) {
      // Only rows of the application are copied. The storage library may keep a tree here, and its layout changed.
      const row = core010.row("ContextPrivateState");
      if (row.shown(old.key, old.valueBytes) !== row.value)
        return { left: "an index row of private state, whose layout is another one" };
      return { rows: [unchanged(old)] };
    },
  },
  ContextDagDelta: {
    unconverted: "reads",
    means: "The history of contexts is unreadable: the node begins with an empty one.",
    convert({ keyBytes, value, fields }, { asBytes }) {
      const old = value.actions.value;
      if (old === undefined) return { left: "its actions do not decode" };
      if (!asBytes && old.some(namesOwner))
        return {
          left: "changes data that belongs to a public key, which core-0.11 would read as an account (--as-bytes)",
        };
      const actions: Action011[] = [];
      for (const one of old) {
        const action = action011(one);
        if (action === undefined) return { left: "compares an entity, which no action of core-0.11 does" };
        actions.push(action);
      }
      const { deltaId, parents, hlc, applied, events } = value;
      const row = newRow(ContextDagDelta.COLUMN, keyBytes, ContextDagDeltaValue011, {
        deltaId,
        parents,
        actions: Payload.of(ActionList011, actions),
        hlc,
        applied,
        checkpointRootHash: null,
        events,
        authorId: null,
        governancePositionBlob: null,
        deltaSignature: null,
      });
      return {
        rows: [row],
        lost: {
          fields: fields("expectedRootHash"),
          why: "core-0.11 has no expected root hash: the id stays that of core-0.10, which core-0.11 would not compute",
        },
      };
    },
  },
  BlobMeta: {
    unconverted: "reads",
    means: "Blobs, so the code of applications, cannot be found, listed or deleted.",
    convert: ({ key, keyBytes, value }, { blobLinks }) => ({
      rows: [
        newRow(BlobMeta.COLUMN, keyBytes, BlobMetaValue, {
          ...value,
          refs: Math.max(1, blobLinks(key.blobId)),
        }),
      ],
    }),
  },
  /**
   * The version of the state is 0, as for code without a manifest: builds for core-0.10 put no manifest into the code.
   */
  ApplicationMeta: {
    unconverted: "reads",
    means: "No application is known, and the list of applications ends with an error.",
    convert: ({ keyBytes, value }) => ({
      rows: [newRow(ApplicationMeta.COLUMN, keyBytes, ApplicationMetaValue, { ...value, stateVersion: 0 })],
    }),
  },
} satisfies Partial<Conversions>;
