/** The code that contexts run, since core-0.11. */
import { equalBytes } from "../../bytes/order.js";
import {
  ApplicationMeta,
  ApplicationPreviousBlob,
  BlobMeta,
  ContextActivatedBlob,
  ContextDagDelta,
  ContextGroupRef,
  ContextMeta,
  GroupMeta,
  GroupUpgradeLadder,
} from "../../keys/index.js";
import { type Core011, core011 } from "../../schemas/index.js";
import { runsById } from "../batches.js";
import { on, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import { ownNode } from "./own-node.js";

export const activatedCode: Rule = {
  name: "activated-code",
  relations: [8],
  severity: "warning",
  says: "The code that a context runs is recorded once the node has made a change in it. It is a version of the application.",
  means: "The context runs other code than before, or that of another application.",
  advice: "Restore a copy that verifies, or upgrade the context's application again.",
  checks: [
    on([core011], ContextDagDelta, async function* (batches, tools) {
      const node = await ownNode(tools);
      let done = false;
      for await (const { id: contextId, rows, begins } of runsById(batches, ({ key }) => key.contextId)) {
        if (begins) done = false;
        if (done || node === undefined) continue;
        const { publicKey } = node;
        done = rows.some(({ value: { authorId } }) => authorId !== null && equalBytes(authorId, publicKey));
        if (!done) continue;
        tools.checked();
        const key = new ContextMeta({ contextId });
        const [activated] = await tools.find([new ContextActivatedBlob({ contextId })]);
        const [context] = await tools.find([key]);
        const message = "the node has made changes in the context, and the code that it runs is not recorded";
        if (activated?.there === false && context?.there === true) yield { key, message };
      }
    }),
    on([core011], ContextActivatedBlob, async function* (batches, tools) {
      for await (const rows of batches) {
        for (const [{ key, value }, { there }] of await tools.join(
          rows,
          ({ value: { blob: blobId } }) => new BlobMeta({ blobId }),
        )) {
          if (!there) continue;
          const versions = await versionsOf(key.contextId, tools);
          if (versions === undefined) continue;
          tools.checked();
          const message = "the context runs code that is not a known version of its application";
          if (!versions.some((blob) => equalBytes(blob, value.blob)))
            yield { key, message, found: value.blob };
        }
      }
    }),
  ],
};

/** The code of all known versions of a context's application; undefined where the application is not there. */
async function versionsOf(
  contextId: Uint8Array,
  tools: Tools<Core011>,
): Promise<readonly Uint8Array[] | undefined> {
  const [context] = await tools.find([new ContextMeta({ contextId })]);
  if (context?.value === undefined) return undefined;
  const { application: applicationId } = context.value;
  const [application] = await tools.find([new ApplicationMeta({ applicationId })]);
  if (application?.value === undefined) return undefined;
  const [previous] = await tools.find([new ApplicationPreviousBlob({ applicationId })]);
  const versions = [application.value, ...application.value.services].map(({ bytecode }) => bytecode);
  if (previous?.value !== undefined) versions.push(previous.value.bytecode);
  const [ref] = await tools.find([new ContextGroupRef({ contextId })]);
  if (ref?.value === undefined) return versions;
  const [group] = await tools.find([new GroupMeta({ groupId: ref.value })]);
  const [ladder] = await tools.find([new GroupUpgradeLadder({ groupId: ref.value })]);
  const rungs = (ladder?.value?.rungs ?? []).map(({ appKey }) => appKey);
  return group?.value === undefined ? [...versions, ...rungs] : [...versions, group.value.appKey, ...rungs];
}
