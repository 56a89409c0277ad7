/** What contexts refer to, and what refers to contexts. */
import {
  AbsorbBufferKey,
  ApplicationMeta,
  ContextActivatedBlob,
  ContextActivatedStateVersion,
  ContextAuthoredRemaining,
  ContextConfig,
  ContextDagDelta,
  ContextExecutingBlob,
  ContextIdentity,
  ContextLeftMarker,
  ContextMeta,
  ContextMigrationFailed,
  ContextPrivateState,
  ContextResyncRequested,
  ContextState,
  SortedIndex,
  SortedIndexMeta,
} from "../../../keys/index.js";
import { core010, core011 } from "../../../schemas/index.js";
import { NOTHING } from "../../advice.js";
import { refer } from "../../reference.js";
import { referenceRule } from "../../reference-check.js";

const both = [core010, core011] as const;
const nothing = () => ({});
const inBoth = [ContextIdentity, ContextState, ContextPrivateState, ContextDagDelta] as const;
const only011 = [
  ContextAuthoredRemaining,
  ContextLeftMarker,
  SortedIndex,
  SortedIndexMeta,
  AbsorbBufferKey,
  ContextMigrationFailed,
  ContextExecutingBlob,
  ContextActivatedBlob,
  ContextActivatedStateVersion,
  ContextResyncRequested,
] as const;

interface OfContext {
  readonly key: { readonly contextId: Uint8Array };
}

const ofContext = {
  to: ContextMeta,
  key: ({ key: { contextId } }: OfContext) => ({ contextId }),
  message: "the first of the rows of a context that is gone, or is not there yet",
  grouping: { id: ({ key }: OfContext) => key.contextId, show: "number of rows" as const },
};

export const contextApplication = referenceRule({
  name: "context-application",
  relations: [9],
  severity: "warning",
  says: "The application of a context is there.",
  means: "The context cannot run on this node before its application is there.",
  advice: "Install the application, or let the node fetch it from its peers.",
  references: [
    refer({
      revisions: both,
      from: ContextMeta,
      to: ApplicationMeta,
      key: ({ value }) => ({ applicationId: value.application }),
      message: "the context's application is not there, or not there yet",
      shows: ({ value }) => ({ expected: value.application }),
    }),
  ],
});

export const contextConfig = referenceRule({
  name: "context-config",
  relations: [11],
  severity: "error",
  says: "A context has a row of its counters, and such a row has a context.",
  means: "Half of the context's record is missing: a crash or a deletion was cut off, or a row was lost.",
  advice:
    "Join or leave the context again on the node. If several contexts are affected, restore a copy that verifies.",
  pairs: true,
  references: [
    refer({
      revisions: both,
      from: ContextMeta,
      to: ContextConfig,
      key: ({ key: { contextId } }) => ({ contextId }),
      message: "the context has no ContextConfig row",
      shows: nothing,
    }),
    refer({
      revisions: both,
      from: ContextConfig,
      to: ContextMeta,
      key: ({ key: { contextId } }) => ({ contextId }),
      message: "there is no such context",
      shows: nothing,
    }),
  ],
});

export const leftBehind = referenceRule({
  name: "left-behind",
  relations: [21],
  severity: "info",
  says: "Rows about a context have that context; deleting it leaves its deltas and private state behind.",
  means: "The context was deleted, or the node has not joined it yet. Its remaining rows take up space.",
  advice: NOTHING,
  references: [
    ...inBoth.map((from) => refer({ ...ofContext, revisions: both, from })),
    ...only011.map((from) => refer({ ...ofContext, revisions: [core011], from })),
  ],
});
