/** The interface to read the nodes of a tree. */
import type { ObjectIdentifier } from "../objects/identifier.js";
import type { TreeNode } from "../tables/tree-node.js";

export interface NodeSource {
  /** @throws MerostoreError DATA_INTEGRITY_ERROR for a node that is missing or damaged */
  node(identifier: ObjectIdentifier): Promise<TreeNode>;
}
