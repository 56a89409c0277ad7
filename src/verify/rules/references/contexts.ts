/** The references of contexts, and to contexts. */
import {
  AbsorbBufferKey,
  ApplicationMeta,
  BlobOwner,
  ContextActivatedBlob,
  ContextActivatedStateVersion,
  ContextAuthoredRemaining,
  ContextBlob,
  ContextConfig,
  ContextDagDelta,
  ContextExecutingBlob,
  ContextGroupRef,
  ContextIdentity,
  ContextLeftMarker,
  ContextMeta,
  ContextMigrationFailed,
  ContextPrivateState,
  ContextPrivateState011,
  ContextResyncRequested,
  ContextServiceName,
  ContextState,
  ContextState011,
  SearchDirty,
  SearchDirtyCounter,
  SearchIndex,
  SnapshotStage,
  SortedIndex,
  SortedIndexMeta,
} from "../../../keys/index.js";
import { NOTHING, RESTORE } from "../../advice.js";
import { refer } from "../../reference.js";
import { referenceRule } from "../../reference-check.js";
import { since010, since011 } from "../../since.js";

const nothing = () => ({});
const inAll = [ContextPrivateState011, ContextPrivateState, ContextDagDelta] as const;
const ofContexts = [
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
  SearchIndex,
  SearchDirtyCounter,
  SearchDirty,
  ContextBlob,
  BlobOwner,
  SnapshotStage,
] as const;

interface OfContext {
  readonly key: { readonly contextId: Uint8Array };
}

const contextOf = ({ key: { contextId } }: OfContext) => ({ contextId });

const ofContext = {
  to: ContextMeta,
  key: contextOf,
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
      revisions: since010,
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
      revisions: since010,
      from: ContextMeta,
      to: ContextConfig,
      key: ({ key: { contextId } }) => ({ contextId }),
      message: "the context has no ContextConfig row",
      shows: nothing,
    }),
    refer({
      revisions: since010,
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
    // A node that joins a group gets the identities in its contexts before the contexts.
    refer({
      ...ofContext,
      revisions: since010,
      from: ContextIdentity,
      given: (row) => new ContextGroupRef(contextOf(row)),
    }),
    ...inAll.map((from) => refer({ ...ofContext, revisions: since010, from })),
    ...ofContexts.map((from) => refer({ ...ofContext, revisions: since011, from })),
    refer({
      revisions: since011,
      from: ContextServiceName,
      to: ContextGroupRef,
      key: contextOf,
      message: "the context is in no group, or no more",
      shows: nothing,
    }),
  ],
});

export const contextThere = referenceRule({
  name: "context-there",
  relations: [21],
  severity: "error",
  says: "A context with state is there, and so is one with identities that is in no group: deleting it deletes both.",
  means: "The context's own row was lost, or these rows belong to another context.",
  advice: RESTORE,
  pairs: true,
  references: [
    ...[ContextState011, ContextState].map((from) =>
      refer({
        ...ofContext,
        revisions: since010,
        from,
        message: "the first of the rows of the state of a context that is not there",
      }),
    ),
    // A node that gets the identities of a context before the context may see the group let the context go.
    refer({
      ...ofContext,
      revisions: since010,
      from: ContextIdentity,
      instead: (row) => [new ContextGroupRef(contextOf(row))],
      message: "the first of the identities in a context that is not there, and is in no group",
      severity: "warning",
    }),
  ],
});
