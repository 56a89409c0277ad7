/** Entities with the state of their children. */

import { copyBytes } from "../../bytes/bytes.js";
import { equalBytes } from "../../bytes/order.js";
import { slices } from "../../collections/lists.js";
import { indexStateKey } from "../../digests/index.js";
import type { ChildInfo, ChildInfo010 } from "../../payloads/index.js";
import { OncePerBatch } from "../batches.js";
import type { Since010 } from "../since.js";
import type { Found, Tools } from "../tools.js";
import { beside, type Entity, type IndexReader } from "./entities.js";

/**
 * A child that its parent names, compared with its own index. The index is not kept, because there may be many
 * children.
 */
export interface Child {
  readonly info: ChildInfo010 | ChildInfo;
  readonly state: "right" | "missing" | "no index" | "other parent" | "other hash";
  /** True if the child is there, is not deleted, and names the parent. */
  readonly live: boolean;
  /** The hash in its index, if it differs from the one that the parent has. */
  readonly fullHash?: Uint8Array;
}

export interface Family extends Entity {
  readonly children: readonly Child[];
}

const families = new OncePerBatch<readonly Entity[], Promise<readonly Family[]>>();

/** Looks up the children of each batch, once for all rules. */
export async function* withChildren(
  batches: AsyncIterable<readonly Entity[]>,
  tools: Tools<Since010>,
  indexes: IndexReader,
): AsyncGenerator<readonly Family[], void, undefined> {
  for await (const entities of batches)
    yield await families.of(entities, () => lookUp(entities, tools, indexes));
}

/** The number of children looked up in one round. */
const ROUND = 512;

async function lookUp(
  entities: readonly Entity[],
  tools: Tools<Since010>,
  indexes: IndexReader,
): Promise<readonly Family[]> {
  const found = entities.map((entity) => ({ ...entity, children: [] as Child[] }));
  const named = found.flatMap((family) => (family.index.children ?? []).map((info) => ({ family, info })));
  for (const round of slices(named, ROUND)) {
    for (const [{ family, info }, row] of await tools.join(round, ({ family, info }) =>
      beside(family.key, indexStateKey(info.id)),
    )) {
      family.children.push(compare(family, info, row, indexes));
    }
  }
  return found;
}

function compare(
  { index: parent }: Entity,
  info: ChildInfo010 | ChildInfo,
  { there, value }: Found<Uint8Array>,
  indexes: IndexReader,
): Child {
  if (!there) return { info, state: "missing", live: false };
  const index = value === undefined ? undefined : indexes.decode(value);
  if (index === undefined) return { info, state: "no index", live: false };
  if (index.parentId === null || !equalBytes(index.parentId, parent.id))
    return { info, state: "other parent", live: false };
  const live = index.deletedAt === null;
  return equalBytes(index.fullHash, info.merkleHash)
    ? { info, state: "right", live }
    : { info, state: "other hash", live, fullHash: copyBytes(index.fullHash) };
}
