/** A node of a random history as a database: its logs, and the rows after its operations in its order. */
import { fromHex } from "../../../../src/bytes/hex.js";
import { Payload } from "../../../../src/codec/index.js";
import { openMemoryEngine } from "../../../../src/engines/memory/index.js";
import { type Store, storeOn } from "../../../../src/store/index.js";
import type { Site } from "./writer.js";

/** Writes a node as a database in memory. */
export async function writeSite(site: Site): Promise<Store> {
  const { revision, namespace } = site.history;
  const { schema, accounts } = revision;
  const store = (await storeOn(openMemoryEngine({ columns: schema.columns }), {
    schema,
  })) as unknown as Store;
  const put = async (kind: string, parts: readonly unknown[], value: unknown): Promise<void> => {
    const { key: Key } = schema.row(kind) as unknown as { key: KeyClass };
    const named = Object.fromEntries(Key.PARTS.map(({ name }, at) => [name, parts[at]]));
    await store.put(new Key(named) as never, value as never);
  };
  for (const { kind, ids, value } of site.rows.all())
    await put(kind, ids.map(fromHex), revision.later?.row(kind, value) ?? value);
  for (const { id, signed } of site.applied)
    await put("NamespaceGovOp", [fromHex(namespace), fromHex(id)], {
      skeletonBytes: Payload.of(revision.entry, { kind: "Signed", value: signed }),
    });
  await put("NamespaceGovHead", [fromHex(namespace)], {
    sequence: BigInt(site.applied.length),
    dagHeads: site.heads.map(fromHex),
  });
  for (const [group, log] of site.logs) {
    for (const [at, { signed }] of log.entries())
      await put("GroupOpLog", [fromHex(group), BigInt(at + 1)], Payload.of(revision.signedGroupOp, signed));
    const dagHeads = (site.groupHeads.get(group) ?? []).map(fromHex);
    await put("GroupOpHead", [fromHex(group)], { sequence: BigInt(log.length), dagHeads });
  }
  const { actor } = site;
  const identity = { publicKey: fromHex(actor.publicKey), privateKey: actor.seed };
  if (accounts) {
    await put("NodeIdentity", [], identity);
    await put("NodeDeviceIdentity", [], {
      accountRootPk: actor.genesis.rootSignPk,
      deviceId: actor.cert.device,
      kemSecret: actor.kemSecret,
    });
    await put("NamespaceParticipation", [fromHex(namespace)], { reserved: 0 });
  } else await put("NamespaceIdentity", [fromHex(namespace)], { ...identity, senderKey: new Uint8Array(32) });
  return store;
}

type KeyClass = { readonly PARTS: readonly { readonly name: string }[] } & (new (parts: object) => object);
