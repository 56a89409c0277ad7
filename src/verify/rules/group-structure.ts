/** Groups: which contexts are in which, and which group is below which. */

import { equalBytes } from "../../bytes/order.js";
import {
  ContextGroupRef,
  GroupChildIndex,
  GroupContextIndex,
  GroupDefaultCaps,
  GroupMeta,
  GroupParentRef,
  GroupSubgroupVis,
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceIdentity,
  NamespaceParticipation,
} from "../../keys/index.js";
import { core010, core011 } from "../../schemas/index.js";
import { runsOfBatch } from "../batches.js";
import type { Broken } from "../finding.js";
import { on, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import { RESTORE, SYNC } from "./advice.js";
import type { AnyCore } from "./entities.js";
import { MOST_LEVELS } from "./group-path.js";
import { needs } from "./partners.js";

const both = [core010, core011] as const;

const contextGroup: Rule = {
  name: "context-group",
  relations: [32],
  severity: "error",
  says: "A group lists a context if, and only if, the context names the group.",
  means: "The group and the context disagree on where the context belongs. Members may not find it.",
  advice: RESTORE,
  pairs: true,
  checks: [
    on(both, ContextGroupRef, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [{ key, value: groupId }, { there }] of await tools.join(
          rows,
          ({ key, value }) => new GroupContextIndex({ groupId: value, contextId: key.contextId }),
        )) {
          const about = key.contextId;
          if (!there) yield { key, message: "the group does not list the context", found: groupId, about };
        }
      }
    }),
    on(both, GroupContextIndex, async function* (batches, tools) {
      for await (const rows of batches) {
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
      }
    }),
  ],
};

const groupParent: Rule = {
  name: "group-parent",
  relations: [33],
  severity: "error",
  says: "A group lists a child if, and only if, the child names it as its parent.",
  means: "The two groups disagree on which is above the other. Rights may not be inherited.",
  advice: RESTORE,
  pairs: true,
  checks: [
    on(both, GroupParentRef, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [{ key, value: parentGroupId }, { there }] of await tools.join(
          rows,
          ({ key, value }) => new GroupChildIndex({ parentGroupId: value, childGroupId: key.childGroupId }),
        )) {
          const about = key.childGroupId;
          if (!there)
            yield { key, message: "the parent does not list the group", found: parentGroupId, about };
        }
      }
    }),
    on(both, GroupChildIndex, async function* (batches, tools) {
      for await (const rows of batches) {
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
      }
    }),
  ],
};

const groupTree: Rule = {
  name: "group-tree",
  relations: [33],
  severity: "error",
  says: `Groups form trees: no group is above itself, and none is more than ${MOST_LEVELS} levels below its root.`,
  means: "The node cannot find the namespace of these groups, and cannot tell who has which rights.",
  advice: RESTORE,
  checks: [
    on(both, GroupParentRef, async function* (batches, tools) {
      for await (const rows of batches) {
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
      }
    }),
  ],
};

const groupChain: Rule = {
  name: "group-chain",
  relations: [33],
  severity: "warning",
  says: "A group that has a parent is there, and so is the parent.",
  means: "A group of the namespace is unknown to this node: it was deleted, or has not arrived.",
  advice: SYNC,
  checks: [
    on(both, GroupParentRef, async function* (batches, tools) {
      for await (const rows of batches) {
        const ends = rows.flatMap(({ key, value }) => [
          { key, groupId: key.childGroupId, what: "the group" },
          { key, groupId: value, what: "its parent" },
        ]);
        tools.checked(ends.length);
        for (const [{ key, groupId, what }, { there }] of await tools.join(
          ends,
          ({ groupId }) => new GroupMeta({ groupId }),
        )) {
          if (!there) yield { key, message: `${what} is not there`, expected: groupId };
        }
      }
    }),
  ],
};

/** A namespace of which there are rows, once. */
async function* belowNothing(
  batches: AsyncIterable<readonly { readonly key: Broken["key"] & { readonly namespaceId: Uint8Array } }[]>,
  tools: Tools<AnyCore>,
): AsyncGenerator<Broken, void, undefined> {
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
    on([core010], NamespaceIdentity, belowNothing),
    on([core011], NamespaceParticipation, belowNothing),
    on(both, NamespaceGovOp, belowNothing),
    on(both, NamespaceGovHead, belowNothing),
  ],
};

const namespaceCapabilities: Rule = {
  name: "namespace-capabilities",
  relations: [34],
  severity: "error",
  says: "A namespace says what its new members may do.",
  means: "The node cannot tell which rights new members of the namespace get.",
  advice: RESTORE,
  pairs: true,
  checks: [
    needs([core011], NamespaceGovHead, {
      only: async (rows, tools) => {
        const found = await tools.join(rows, ({ key }) => new GroupMeta({ groupId: key.namespaceId }));
        return found.flatMap(([row, { there }]) => (there ? [row] : []));
      },
      partners: [({ key }) => new GroupDefaultCaps({ groupId: key.namespaceId })],
      message: "the namespace has no row that says what its new members may do",
    }),
  ],
};

const subgroupVisibility: Rule = {
  name: "subgroup-visibility",
  relations: [33],
  severity: "error",
  says: "A subgroup says who can see it.",
  means: "The node cannot tell whether members of the namespace may see the subgroup.",
  advice: RESTORE,
  pairs: true,
  checks: [
    needs([core011], GroupParentRef, {
      // The row of its parent outlives a group that its members deleted.
      only: async (rows, tools) => {
        const found = await tools.join(rows, ({ key }) => new GroupMeta({ groupId: key.childGroupId }));
        return found.flatMap(([row, { there }]) => (there ? [row] : []));
      },
      partners: [({ key }) => new GroupSubgroupVis({ groupId: key.childGroupId })],
      message: "the subgroup has no row that says who can see it",
    }),
  ],
};

/** A namespace of which there are rows, once, without the row of this node's part in it. */
async function* withoutPart(
  batches: AsyncIterable<readonly { readonly key: Broken["key"] & { readonly namespaceId: Uint8Array } }[]>,
  tools: Tools<AnyCore>,
  rowOf: (namespaceId: Uint8Array) => NamespaceIdentity | NamespaceParticipation,
): AsyncGenerator<Broken, void, undefined> {
  for await (const pieces of runsOfBatch(batches, ({ key }) => key.namespaceId)) {
    const begun = pieces.filter(({ begins }) => begins);
    tools.checked(begun.length);
    for (const [{ id, rows }, { there }] of await tools.join(
      begun,
      ({ id }) => rowOf(id) as NamespaceParticipation,
    )) {
      const message = "the node has the namespace's operations, and no row of its own part in it";
      if (!there && rows[0] !== undefined) yield { key: rows[0].key, message, found: id, about: id };
    }
  }
}

const identityIn = (namespaceId: Uint8Array) => new NamespaceIdentity({ namespaceId });
const partIn = (namespaceId: Uint8Array) => new NamespaceParticipation({ namespaceId });

const namespacePart: Rule = {
  name: "namespace-part",
  relations: [42],
  severity: "error",
  says: "A node takes part in the namespaces whose operations it has: it keeps its identity there, or a mark.",
  means: "The node has the history of a namespace and no identity in it. It cannot act there.",
  advice: "Join the namespace again, or restore a copy of the database that has the row.",
  pairs: true,
  checks: [
    on([core010], NamespaceGovOp, (batches, tools) => withoutPart(batches, tools, identityIn)),
    on([core010], NamespaceGovHead, (batches, tools) => withoutPart(batches, tools, identityIn)),
    on([core011], NamespaceGovOp, (batches, tools) => withoutPart(batches, tools, partIn)),
    on([core011], NamespaceGovHead, (batches, tools) => withoutPart(batches, tools, partIn)),
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
];
