/** Applications: their ids follow from their content, and their code is a blob. */
import { bundleApplicationId, moduleApplicationId } from "../../digests/index.js";
import { ApplicationMeta } from "../../keys/index.js";
import { onEqual, type Rule } from "../rule.js";
import { since010 } from "../since.js";
import { applicationBlobs, contextCode, isStub } from "./references/applications.js";

const bundleId: Rule = {
  name: "bundle-id",
  relations: [10],
  severity: "error",
  says: "A bundle's id is the hash of its package and signer.",
  means: "The application's record was changed: package or signer is not the one that was installed.",
  advice: "Install the application again from a source that you trust.",
  checks: [
    onEqual(since010, ApplicationMeta, "package and signer give another id", ({ key, value }) =>
      value.signerId === "" ? undefined : [key.applicationId, bundleApplicationId(value)],
    ),
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
    onEqual(
      since010,
      ApplicationMeta,
      "the id does not follow from the row: the module was fetched from another node, or changed",
      ({ key, value }) =>
        value.signerId !== "" || isStub(value) ? undefined : [key.applicationId, moduleApplicationId(value)],
    ),
  ],
};

export const applicationRules: readonly Rule[] = [applicationBlobs, contextCode, bundleId, moduleId];
