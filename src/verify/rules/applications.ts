/** Applications: their ids follow from what they are, and their code is a blob. */
import { equalBytes } from "../../bytes/order.js";
import { bundleApplicationId, moduleApplicationId } from "../../digests/index.js";
import {
  ApplicationMeta,
  ApplicationPreviousBlob,
  BlobMeta,
  ContextActivatedBlob,
} from "../../keys/index.js";
import { core010, core011 } from "../../schemas/index.js";
import type { ApplicationMetaValue010 } from "../../values/index.js";
import { on, onEach, type Rule } from "../rule.js";
import { needs } from "./partners.js";

const both = [core010, core011] as const;

/** What a node keeps of an application that it only heard of. */
function isStub({ size, package: name }: ApplicationMetaValue010): boolean {
  return size === 0n && name === "";
}

/** The blobs of an application, and what each is. */
function blobsOf({
  bytecode,
  compiled,
  services,
}: ApplicationMetaValue010): readonly (readonly [string, Uint8Array])[] {
  const blobs: (readonly [string, Uint8Array])[] = [["its code", bytecode]];
  if (!equalBytes(bytecode, compiled)) blobs.push(["its compiled code", compiled]);
  for (const service of services) {
    blobs.push(
      ["the code of a service", service.bytecode],
      ["the compiled code of a service", service.compiled],
    );
  }
  return blobs.filter(([, id]) => id.some((byte) => byte !== 0));
}

const applicationBlobs: Rule = {
  name: "application-blobs",
  relations: [8],
  severity: "warning",
  says: "The code of an application is there as a blob.",
  means: "The application cannot run on this node before its code is there.",
  advice: "Install the application again, or let the node fetch it from its peers.",
  checks: [
    on(both, ApplicationMeta, async function* (batches, tools) {
      for await (const rows of batches) {
        const blobs = rows.flatMap((row) =>
          blobsOf(row.value).map(([what, blobId]) => ({ ...row, what, blobId })),
        );
        tools.checked(blobs.length);
        for (const [{ key, value, what, blobId }, { there }] of await tools.join(
          blobs,
          ({ blobId }) => new BlobMeta({ blobId }),
        )) {
          if (there) continue;
          if (isStub(value)) {
            const message = "the node has heard of the application, and not fetched it";
            yield { key, message, expected: blobId, severity: "info" };
          } else yield { key, message: `${what} is no blob that is there`, expected: blobId };
        }
      }
    }),
  ],
};

const bundleId: Rule = {
  name: "bundle-id",
  relations: [10],
  severity: "error",
  says: "A bundle's id is the hash of its package and signer.",
  means: "The application's record was changed: package or signer is not the one that was installed.",
  advice: "Install the application again from a source that you trust.",
  checks: [
    onEach(both, ApplicationMeta, function* ({ key, value }, tools) {
      if (value.signerId === "") return;
      tools.checked();
      const expected = bundleApplicationId(value);
      if (!equalBytes(key.applicationId, expected))
        yield { key, message: "package and signer give another id", found: key.applicationId, expected };
    }),
  ],
};

const moduleId: Rule = {
  name: "module-id",
  relations: [10],
  severity: "info",
  says: "A module's id is the hash of its code, size, source and metadata, unless it was fetched from others.",
  means: "The node fetched the module from another node under a known id, or the record was changed.",
  advice: "Nothing if the module came from another node. If it was installed here, install it again.",
  checks: [
    onEach(both, ApplicationMeta, function* ({ key, value }, tools) {
      if (value.signerId !== "" || isStub(value)) return;
      tools.checked();
      const expected = moduleApplicationId(value);
      if (!equalBytes(key.applicationId, expected)) {
        const message =
          "the id does not follow from the row: the module was fetched from another node, or changed";
        yield { key, message, found: key.applicationId, expected };
      }
    }),
  ],
};

const contextCode: Rule = {
  name: "context-code",
  relations: [8],
  severity: "warning",
  says: "The code that a context runs is there as a blob.",
  means: "The context cannot run before its code is there.",
  advice: "Install the application again, or let the node fetch it from its peers.",
  checks: [
    needs([core011], ContextActivatedBlob, {
      partners: [({ value }) => new BlobMeta({ blobId: value.blob })],
      message: "the code that the context runs is no blob that is there",
    }),
    needs([core011], ApplicationPreviousBlob, {
      partners: [({ value }) => new BlobMeta({ blobId: value.bytecode })],
      message: "the code of the version before is no blob that is there: the context cannot return to it",
      severity: "info",
    }),
  ],
};

export const applicationRules: readonly Rule[] = [applicationBlobs, contextCode, bundleId, moduleId];
