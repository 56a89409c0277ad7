/** Nodes of trees: which keys are in which. */
import { compareBytes, counted } from "merostore/internal";
import type { ObjectIdentifier } from "../../objects/identifier.js";
import { objectRow } from "../../rows/page-rows.js";
import type { TreeNode } from "../../tables/tree-node.js";
import { levelOf } from "../../tree/level.js";
import type { CheckedPage } from "../checked-page.js";
import { type PageRule, type Problem, problem, RESTORE } from "../finding.js";

export const treeNodes: PageRule = {
  name: "tree-nodes",
  severity: "error",
  says: "A tree node has the keys of its level; its children are one level lower and have the keys in between.",
  means: "Keys are in the wrong place. Reading may not find them.",
  advice: RESTORE,
  async *check(page) {
    for await (const batch of page.parentPieces())
      for (const { digest, node } of batch) {
        if (node === undefined) continue;
        page.count(1);
        for await (const message of ofNode(page, node))
          yield problem("error", objectRow, { digest }, message);
      }
  },
};

async function* ofNode(
  page: CheckedPage,
  node: TreeNode,
): AsyncGenerator<Problem["message"], void, undefined> {
  const { level, entries, children } = node;
  const misplaced = entries.filter(({ key }) => levelOf(key) !== level).length;
  if (misplaced > 0) yield `${misplaced} of its ${counted(entries.length, "key")} are not of level ${level}`;
  if (entries.length === 0 && children[0] === undefined) yield "it has neither entries nor a child";
  for (const [at, child] of children.entries()) {
    if (child === undefined) continue;
    if (level === 0) {
      yield "it is a leaf, and has a child";
      return;
    }
    const found = await page.node(child);
    if (found === undefined) continue;
    if (found.level !== level - 1) yield `its child ${at} is of level ${found.level}, not ${level - 1}`;
    const before = entries[at - 1]?.key;
    const after = entries[at]?.key;
    const least = await outermost(page, found, "first");
    const greatest = await outermost(page, found, "last");
    const isWithin =
      (before === undefined || least === undefined || compareBytes(before, least) < 0) &&
      (after === undefined || greatest === undefined || compareBytes(greatest, after) < 0);
    if (!isWithin) yield `its child ${at} has keys that belong elsewhere`;
  }
}

/** The first or last key of a node with all below it; undefined where nodes are missing. Each node by itself is in order. */
async function outermost(
  page: CheckedPage,
  node: TreeNode,
  side: "first" | "last",
): Promise<Uint8Array | undefined> {
  let at: TreeNode | undefined = node;
  while (at !== undefined) {
    const { level, entries, children }: TreeNode = at;
    const child: ObjectIdentifier | undefined = side === "first" ? children[0] : children.at(-1);
    if (child === undefined) return (side === "first" ? entries[0] : entries.at(-1))?.key;
    const below: TreeNode | undefined = await page.node(child);
    // Levels fall, or it might go round for ever.
    at = below !== undefined && below.level < level ? below : undefined;
  }
  return undefined;
}
