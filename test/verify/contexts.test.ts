/** Contexts: each of these changes leads to findings of its own rule alone. */
import { expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import * as key from "../../src/keys/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { expectNews, flipped, inMemory, itFinds, itFindsIn, nobody, rowsOf } from "./altered.js";

const node = () => inMemory("core-0.11/node-a", core011);
const node010 = () => inMemory("core-0.10/node-a", core010);

itFindsIn(["warning", "context-application"], node, key.ContextMeta, () => ({ application: nobody }));

it("context-config, either way", async () => {
  await expectNews(await node(), async (store) => {
    const [{ key: meta }] = await rowsOf(store, key.ContextMeta);
    await store.delete(new key.ContextConfig({ contextId: meta.contextId }));
    const config = new key.ContextConfig({ contextId: nobody });
    await store.put(config, { applicationRevision: 1n, membersRevision: 1n });
    return [
      ["error", "context-config", meta],
      ["error", "context-config", config],
    ];
  });
  await expectNews(await node(), async (store) => {
    const [{ key: meta }] = await rowsOf(store, key.ContextMeta);
    await store.delete(new key.ContextConfig({ contextId: meta.contextId }));
    return [["warning", "context-config", meta]];
  });
});

itFinds("context-id", node, async (store) => {
  const [{ value }] = await rowsOf(store, key.ContextMeta);
  // No point of the curve has this y.
  const contextId = new Uint8Array(32).with(0, 2);
  const meta = new key.ContextMeta({ contextId });
  await store.put(meta, { ...value, rootHash: new Uint8Array(32), dagHeads: [] });
  await store.put(new key.ContextConfig({ contextId }), { applicationRevision: 1n, membersRevision: 1n });
  return [["info", "context-id", meta]];
});

itFindsIn(["error", "root-hash"], node, key.ContextMeta, () => ({ rootHash: nobody }));

itFinds("root-hash says nothing while a snapshot is being fetched", node, async (store) => {
  const [{ key: at, value }] = await rowsOf(store, key.ContextMeta);
  await store.put(at, { ...value, rootHash: nobody });
  const scope = key.scopeBytes("sync-in-progres") ?? nobody;
  await store.put(new key.Generic({ scope, fragment: at.contextId }), nobody);
  return [];
});

itFinds("own-identity", node010, async (store) => {
  const [own] = await rowsOf(store, key.ContextIdentity, ({ value }) => value.privateKey !== null);
  await store.delete(own.key);
  return [["warning", "own-identity", new key.ContextMeta({ contextId: own.key.contextId })]];
});

itFindsIn(
  ["error", "identity-key"],
  node010,
  key.ContextIdentity,
  ({ privateKey }) => ({ privateKey: flipped(privateKey ?? nobody) }),
  ({ value }) => value.privateKey !== null,
);

itFinds("left-behind: one finding for all rows of a kind", node, async (store) => {
  const kinds = [1, 2].map(
    (at) => new key.ContextPrivateState011({ contextId: nobody, stateKey: nobody.with(0, at) }),
  );
  for (const at of kinds) await store.put(at, nobody);
  const marker = new key.ContextResyncRequested({ contextId: nobody });
  await store.put(marker, null);
  return [
    ["info", "left-behind", kinds[0] ?? marker],
    ["info", "left-behind", marker],
  ];
});

itFinds("left-behind, of a whole context", node, async (store) => {
  const [{ key: meta }] = await rowsOf(store, key.ContextMeta);
  const { contextId } = meta;
  const ofContext = ({ key: at }: { readonly key: { readonly contextId: Uint8Array } }) =>
    toHex(at.contextId) === toHex(contextId);
  const [delta] = await rowsOf(store, key.ContextDagDelta, ofContext);
  const [identity] = await rowsOf(store, key.ContextIdentity, ofContext);
  const [state] = await rowsOf(store, key.ContextState011, ofContext);
  const [activated] = await rowsOf(store, key.ContextActivatedBlob, ofContext);
  const [listed] = await rowsOf(store, key.GroupContextIndex, ofContext);
  const rest = await Promise.all(
    [key.ContextPrivateState011, key.SortedIndex, key.SortedIndexMeta].map((kind) =>
      rowsOf(store, kind, ofContext).catch(() => []),
    ),
  );
  await store.delete(meta);
  await store.delete(new key.ContextConfig({ contextId }));
  const left = [
    delta,
    identity,
    activated,
    ...rest.flatMap(([first]) => (first === undefined ? [] : [first])),
  ];
  expect(left.length).toBeGreaterThan(3);
  return [
    ...left.map((row) => ["info", "left-behind", row.key] as const),
    ["warning", "context-there", state.key],
    ["info", "context-joined", listed.key],
  ];
});
