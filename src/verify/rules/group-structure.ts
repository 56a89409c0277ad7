/** Groups: the group of each context, and the parent of each group. */
import { equalBytes } from "../../bytes/order.js";
import {
  ContextGroupRef,
  GroupChildIndex,
  GroupContextIndex,
  GroupParentRef,
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceIdentity,
  NamespaceParticipation,
} from "../../keys/index.js";
import { RESTORE } from "../advice.js";
import { runsOfBatch } from "../batches.js";
import type { RowFinding } from "../finding.js";
import { refer } from "../reference.js";
import { referenceRule } from "../reference-check.js";
import { on, onBatch, type Rule } from "../rule.js";
import { only010, type Since010, since010, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { MOST_LEVELS } from "./group-path.js";
import { groupChain, namespaceCapabilities, namespacePart, subgroupVisibility } from "./references/groups.js";
import { partThere } from "./references/namespaces.js";

const contextGroup = referenceRule({
  name: "context-group",
  relations: [32],
  severity: "error",
  says: "A group lists a context if, and only if, the context names the group.",
  means: "The group and the context disagree on where the context belongs. Members may not find it.",
  advice: RESTORE,
  pairs: true,
  references: [
    refer({
      revisions: since010,
      from: ContextGroupRef,
      to: GroupContextIndex,
      key: ({ key: { contextId }, value: groupId }) => ({ groupId, contextId }),
      message: "the group does not list the context",
      shows: ({ key: { contextId }, value: groupId }) => ({ found: groupId, about: contextId }),
    }),
  ],
  checks: [
    onBatch(since010, GroupContextIndex, async function* (rows, tools) {
      tools.checked(rows.length);
      for (const [{ key }, { there, value: groupId }] of await tools.join(
        rows,
        ({ key: { contextId } }) => new ContextGroupRef({ contextId }),
      )) {
        const about = key.contextId;
        if (!there) yield { key, message: "the context names no group", expected: key.groupId, about };
        else if (groupId !== undefined && !equalBytes(groupId, key.groupId)) {
          const message = "the context names another group";
          yield { key, message, found: groupId, expected: key.groupId, about };
        }
      }
    }),
  ],
});

const groupParent = referenceRule({
  name: "group-parent",
  relations: [33],
  severity: "error",
  says: "A group lists a child if, and only if, the child names it as its parent.",
  means: "The two groups disagree on which is above the other. Rights may not be inherited.",
  advice: RESTORE,
  pairs: true,
  references: [
    refer({
      revisions: since010,
      from: GroupParentRef,
      to: GroupChildIndex,
      key: ({ key: { childGroupId }, value: parentGroupId }) => ({ parentGroupId, childGroupId }),
      message: "the parent does not list the group",
      shows: ({ key: { childGroupId }, value: parentGroupId }) => ({
        found: parentGroupId,
        about: childGroupId,
      }),
    }),
  ],
  checks: [
    onBatch(since010, GroupChildIndex, async function* (rows, tools) {
      tools.checked(rows.length);
      for (const [{ key }, { there, value: parent }] of await tools.join(
        rows,
        ({ key: { childGroupId } }) => new GroupParentRef({ childGroupId }),
      )) {
        const about = key.childGroupId;
        const expected = key.parentGroupId;
        if (!there) yield { key, message: "the child names no parent", expected, about };
        else if (parent !== undefined && !equalBytes(parent, key.parentGroupId))
          yield { key, message: "the child names another parent", found: parent, expected, about };
      }
    }),
  ],
});

const groupTree: Rule = {
  name: "group-tree",
  relations: [33],
  severity: "error",
  says: `Groups form trees: no group is above itself, and none is more than ${MOST_LEVELS} levels below its root.`,
  means: "The node cannot find the namespace of these groups, and cannot tell who has which rights.",
  advice: RESTORE,
  checks: [
    onBatch(since010, GroupParentRef, async function* (rows, tools) {
      tools.checked(rows.length);
      let climbing = rows.map(({ key, value }) => ({ key, above: value }));
      for (let level = 1; climbing.length > 0; level++) {
        for (const { key, above } of climbing) {
          if (equalBytes(above, key.childGroupId))
            yield { key, message: "the group is above itself", found: `${level} levels up` };
          else if (level > MOST_LEVELS)
            yield { key, message: "the group is too deep, or below a circle of groups" };
        }
        if (level > MOST_LEVELS) break;
        climbing = climbing.filter(({ key, above }) => !equalBytes(above, key.childGroupId));
        const parents = await tools.join(
          climbing,
          ({ above }) => new GroupParentRef({ childGroupId: above }),
        );
        climbing = parents.flatMap(([{ key }, { value }]) =>
          value === undefined ? [] : [{ key, above: value }],
        );
      }
    }),
  ],
};

/** Checks each namespace in the rows once: its root group must have no parent. */
async function* rootsWithoutParent(
  batches: AsyncIterable<
    readonly { readonly key: RowFinding["key"] & { readonly namespaceId: Uint8Array } }[]
  >,
  tools: Tools<Since010>,
): AsyncGenerator<RowFinding, void, undefined> {
  for await (const pieces of runsOfBatch(batches, ({ key }) => key.namespaceId)) {
    const begun = pieces.filter(({ begins }) => begins);
    tools.checked(begun.length);
    for (const [{ rows }, { value: parent }] of await tools.join(
      begun,
      ({ id }) => new GroupParentRef({ childGroupId: id }),
    )) {
      const message = "the root group of the namespace has a parent";
      if (parent !== undefined && rows[0] !== undefined) yield { key: rows[0].key, message, found: parent };
    }
  }
}

const namespaceRoot: Rule = {
  name: "namespace-root",
  relations: [33],
  severity: "error",
  says: "A namespace is named after a group that has no parent.",
  means: "A namespace's operations are filed under a group that is not at the top.",
  advice: RESTORE,
  checks: [
    on(only010, NamespaceIdentity, rootsWithoutParent),
    on(since011, NamespaceParticipation, rootsWithoutParent),
    on(since010, NamespaceGovOp, rootsWithoutParent),
    on(since010, NamespaceGovHead, rootsWithoutParent),
  ],
};

export const groupStructureRules: readonly Rule[] = [
  contextGroup,
  groupParent,
  groupTree,
  groupChain,
  namespaceCapabilities,
  subgroupVisibility,
  namespaceRoot,
  namespacePart,
  partThere,
];
