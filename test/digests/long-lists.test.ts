/** Hashes of lists that are longer than the arguments of a call can be. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { blobRootId, deltaId010, deltaId011, fullHash010, fullHash011 } from "../../src/digests/index.js";

const COUNT = 200_000;

/** Ids in ascending order. */
const ids = Array.from({ length: COUNT }, (_, at) => {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, at);
  return id;
});
const own = new Uint8Array(32).fill(9);
const hashOf = (...parts: readonly Uint8Array[][]) => {
  const hash = createHash("sha256");
  for (const part of parts.flat()) hash.update(part);
  return new Uint8Array(hash.digest());
};

it("the chunks of a blob, and the parents of a delta", () => {
  const expected = hashOf(ids);
  expect(blobRootId(ids)).toEqual(expected);
  expect(deltaId011(ids, [])).toEqual(expected);
  expect(deltaId010(ids, [])).toEqual(expected);
});

it("the children of an entity, in stored order or by id", () => {
  const children = ids.map((id) => ({ id, merkleHash: id }));
  const backwards = children.toReversed();
  expect(fullHash010({ ownHash: own, children } as never)).toEqual(hashOf([own], ids));
  expect(fullHash010({ ownHash: own, children: backwards } as never)).toEqual(
    hashOf([own], ids.toReversed()),
  );
  expect(fullHash011({ ownHash: own, children: backwards } as never)).toEqual(hashOf([own], ids));
});
