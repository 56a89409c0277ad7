/** The code that contexts run, since core-0.11. */
import { IdTable } from "../../bytes/id-table.js";
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
import type { ApplicationMetaValue } from "../../values/index.js";
import { runsById } from "../batches.js";
import { on, type Rule } from "../rule.js";
import { type Since011, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { ownNode } from "./own-node.js";

export const activatedCode: Rule = {
  name: "activated-code",
  relations: [8],
  severity: "warning",
  says: "The code that a context runs is recorded once the node has made a change in it. It is a version of the application: an earlier one, which need not be known, while an upgrade waits for the context.",
  means: "The context runs other code than before, or that of another application.",
  advice: "Restore a copy that verifies, or upgrade the context's application again.",
  checks: [
    on(since011, ContextDagDelta, async function* (batches, tools) {
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
    on(since011, ContextActivatedBlob, async function* (batches, tools) {
      let ofApplications: IdTable | undefined;
      for await (const rows of batches) {
        for (const [{ key, value }, { there }] of await tools.join(
          rows,
          ({ value: { blob: blobId } }) => new BlobMeta({ blobId }),
        )) {
          if (!there) continue;
          const known = await versionsOf(key.contextId, tools);
          if (known === undefined) continue;
          tools.checked();
          if (includes(known.versions, value.blob)) continue;
          if (known.waiting) {
            ofApplications ??= await allCode(tools);
            if (!ofApplications.has(value.blob)) continue;
          }
          const message = "the context runs code that is not a known version of its application";
          yield { key, message, found: value.blob };
        }
      }
    }),
  ],
};

/** The known code of a context's application. */
interface Known {
  /** The code of each known version. */
  readonly versions: readonly Uint8Array[];
  /**
   * True if the context's group has an upgrade that the context may not have taken yet: a context upgrades at its next
   * use. Until then it runs the previous version, which no row names after the installation of the new one.
   */
  readonly waiting: boolean;
}

/** The known code of a context's application; undefined if the application is not there. */
async function versionsOf(contextId: Uint8Array, tools: Tools<Since011>): Promise<Known | undefined> {
  const [context] = await tools.find([new ContextMeta({ contextId })]);
  if (context?.value === undefined) return undefined;
  const { application: applicationId } = context.value;
  const [application] = await tools.find([new ApplicationMeta({ applicationId })]);
  if (application?.value === undefined) return undefined;
  const versions = codeOf(application.value);
  const [previous] = await tools.find([new ApplicationPreviousBlob({ applicationId })]);
  if (previous?.value !== undefined) versions.push(previous.value.bytecode);
  const [ref] = await tools.find([new ContextGroupRef({ contextId })]);
  if (ref?.value === undefined) return { versions, waiting: false };
  const [group] = await tools.find([new GroupMeta({ groupId: ref.value })]);
  const [ladder] = await tools.find([new GroupUpgradeLadder({ groupId: ref.value })]);
  const rungs = (ladder?.value?.rungs ?? []).map(({ appKey }) => appKey);
  const target = group?.value?.appKey;
  const waiting = target !== undefined && rungs.length > 0 && includes(rungs.slice(-1), target);
  return { versions: [...versions, ...(target ? [target] : []), ...rungs], waiting };
}

/** The code of all applications. */
async function allCode(tools: Tools<Since011>): Promise<IdTable> {
  const code = new IdTable();
  for await (const applications of tools.scan(ApplicationMeta.range({})))
    for (const { value } of applications) for (const blob of codeOf(value)) code.add(blob);
  return code;
}

function codeOf({ bytecode, services }: ApplicationMetaValue): Uint8Array[] {
  return [bytecode, ...services.map((service) => service.bytecode)];
}

function includes(list: readonly Uint8Array[], wanted: Uint8Array): boolean {
  return list.some((one) => equalBytes(one, wanted));
}
