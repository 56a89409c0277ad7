/** Entities with the indexes of their children. */
import { indexStateKey } from "../../digests/index.js";
import { ContextState } from "../../keys/index.js";
import type { ChildInfo, ChildInfo011 } from "../../payloads/index.js";
import type { Tools } from "../tools.js";
import type { AnyIndex, EitherRows, Entity, IndexReader } from "./entities.js";

/** A child as its parent knows it, and what there is of it. */
export interface Child {
  readonly info: ChildInfo | ChildInfo011;
  /** Whether there is a row where its index should be. */
  readonly there: boolean;
  /** Its index; undefined where there is none, or none that decodes. */
  readonly index: AnyIndex | undefined;
}

export interface Family extends Entity {
  readonly children: readonly Child[];
}

const families = new WeakMap<readonly Entity[], Promise<readonly Family[]>>();

/** Looks up the children of each batch, once for all rules. */
export async function* withChildren(
  batches: AsyncIterable<readonly Entity[]>,
  tools: Tools<EitherRows>,
  indexes: IndexReader,
): AsyncGenerator<readonly Family[], void, undefined> {
  for await (const entities of batches) {
    let found = families.get(entities);
    if (found === undefined) {
      found = lookUp(entities, tools, indexes);
      families.set(entities, found);
    }
    yield await found;
  }
}

async function lookUp(
  entities: readonly Entity[],
  tools: Tools<EitherRows>,
  indexes: IndexReader,
): Promise<readonly Family[]> {
  const keys = entities.flatMap(({ key: { contextId }, index }) =>
    (index.children ?? []).map(({ id }) => new ContextState({ contextId, stateKey: indexStateKey(id) })),
  );
  const found = (await tools.find(keys)).values();
  return entities.map((entity) => ({
    ...entity,
    children: (entity.index.children ?? []).map((info) => {
      const { there = false, value } = found.next().value ?? {};
      return { info, there, index: value === undefined ? undefined : indexes.decode(value) };
    }),
  }));
}
