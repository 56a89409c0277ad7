/** The references of applications: the blobs with their code. */
import { equalBytes } from "../../../bytes/order.js";
import {
  ApplicationMeta,
  ApplicationPreviousBlob,
  BlobMeta,
  ContextActivatedBlob,
} from "../../../keys/index.js";
import type { ApplicationMetaValue010 } from "../../../values/index.js";
import { type MissingRow, refer } from "../../reference.js";
import { referenceRule } from "../../reference-check.js";
import { since010, since011 } from "../../since.js";

const blobOf = {
  revisions: since010,
  from: ApplicationMeta,
  to: BlobMeta,
  shows: (_: unknown, to: BlobMeta) => ({ expected: to.blobId }),
};

/** A blob that a field names; zeros name none. */
function named(blobId: Uint8Array): readonly { readonly blobId: Uint8Array }[] {
  return blobId.some((byte) => byte !== 0) ? [{ blobId }] : [];
}

function noBlob(value: ApplicationMetaValue010, what: string): MissingRow {
  return isStub(value)
    ? { message: "the node has heard of the application, and not fetched it", severity: "info" }
    : { message: `${what} is not a blob that is there` };
}

/** Returns whether a row is the placeholder for an application that the node has heard of and not fetched. */
export function isStub({ size, package: name }: ApplicationMetaValue010): boolean {
  return size === 0n && name === "";
}

export const applicationBlobs = referenceRule({
  name: "application-blobs",
  relations: [8],
  severity: "warning",
  says: "The code of an application is there as a blob.",
  means: "The application cannot run on this node before its code is there.",
  advice: "Install the application again, or let the node fetch it from its peers.",
  references: [
    refer({
      ...blobOf,
      keys: ({ value }) => named(value.bytecode),
      missing: ({ value }) => noBlob(value, "its code"),
    }),
    refer({
      ...blobOf,
      keys: ({ value: { bytecode, compiled } }) => (equalBytes(bytecode, compiled) ? [] : named(compiled)),
      missing: ({ value }) => noBlob(value, "its compiled code"),
    }),
    refer({
      ...blobOf,
      keys: ({ value }) => value.services.flatMap(({ bytecode }) => named(bytecode)),
      missing: ({ value }) => noBlob(value, "the code of a service"),
    }),
    refer({
      ...blobOf,
      keys: ({ value }) => value.services.flatMap(({ compiled }) => named(compiled)),
      missing: ({ value }) => noBlob(value, "the compiled code of a service"),
    }),
  ],
});

export const contextCode = referenceRule({
  name: "context-code",
  relations: [8],
  severity: "warning",
  says: "The code that a context runs is there as a blob.",
  means: "The context cannot run before its code is there.",
  advice: "Install the application again, or let the node fetch it from its peers.",
  references: [
    refer({
      revisions: since011,
      from: ContextActivatedBlob,
      to: BlobMeta,
      key: ({ value }) => ({ blobId: value.blob }),
      message: "the code that the context runs is not a blob that is there",
    }),
    refer({
      revisions: since011,
      from: ApplicationPreviousBlob,
      to: BlobMeta,
      key: ({ value }) => ({ blobId: value.bytecode }),
      message: "the code of the version before is not a blob that is there: the context cannot return to it",
      severity: "info",
    }),
  ],
});
