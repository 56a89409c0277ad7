/** This node's own rows against the rows of its groups. */
import { expect, it } from "vitest";
import { equalBytes } from "../../src/bytes/order.js";
import * as key from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import {
  type Expected,
  expectNews,
  flipped,
  inMemory,
  itFinds,
  itFindsIn,
  nobody,
  rowsOf,
} from "./altered.js";

const founder = () => inMemory("core-0.11/node-a", core011);
const joiner = () => inMemory("core-0.11/node-b", core011);

const bindings = (store: Awaited<ReturnType<typeof founder>>) => rowsOf(store, key.GroupDeviceBinding);

it("own-device: another device id, another secret", async () => {
  for (const field of ["deviceId", "kemSecret"] as const) {
    await expectNews(await joiner(), async (store) => {
      const [{ key: at, value }] = await rowsOf(store, key.NodeDeviceIdentity);
      await store.put(at, { ...value, [field]: flipped(value[field], 1) });
      const [{ key: part }] = await rowsOf(store, key.NamespaceParticipation);
      const expected: Expected[] = [
        [
          "error",
          "own-device",
          new key.GroupDeviceBinding({ groupId: part.namespaceId, deviceId: value.deviceId }),
        ],
      ];
      return field === "deviceId" ? [...expected, ["warning", "own-device", part]] : expected;
    });
  }
});

it("own-device: the key pair of another node", async () => {
  const [{ value: other }] = await rowsOf(await joiner(), key.NodeIdentity);
  const store = await founder();
  const [{ value: device }] = await rowsOf(store, key.NodeDeviceIdentity);
  const contexts = await rowsOf(store, key.ContextMeta);
  await expectNews(store, async (store) => {
    const [{ key: at }] = await rowsOf(store, key.NodeIdentity);
    await store.put(at, other);
    const wrong = (await bindings(store)).filter(
      (row) => equalBytes(row.key.deviceId, device.deviceId) || equalBytes(row.value.signPk, other.publicKey),
    );
    expect(wrong.length).toBeGreaterThan(6);
    const withOther = (await rowsOf(store, key.ContextIdentity)).filter((row) =>
      equalBytes(row.key.publicKey, other.publicKey),
    );
    const without = contexts.filter(
      (context) => !withOther.some((row) => equalBytes(row.key.contextId, context.key.contextId)),
    );
    return [
      ...wrong.map((row) => ["error", "own-device", row.key] as const),
      ...without.map((row) => ["warning", "own-identity", row.key] as const),
    ];
  });
});

it("own-device: what the groups know of it", async () => {
  for (const field of ["signPk", "kemPk"] as const) {
    await expectNews(await joiner(), async (store) => {
      const [{ value: device }] = await rowsOf(store, key.NodeDeviceIdentity);
      const [own] = await rowsOf(store, key.GroupDeviceBinding, (row) =>
        equalBytes(row.key.deviceId, device.deviceId),
      );
      await store.put(own.key, { ...own.value, [field]: flipped(own.value[field]) });
      return [["error", "own-device", own.key]];
    });
  }
});

itFinds(
  "own-device says nothing of other devices, nor where the device was revoked",
  joiner,
  async (store) => {
    const [{ value: device }] = await rowsOf(store, key.NodeDeviceIdentity);
    const [other] = await rowsOf(
      store,
      key.GroupDeviceBinding,
      (row) => !equalBytes(row.key.deviceId, device.deviceId),
    );
    await store.put(other.key, { ...other.value, kemPk: flipped(other.value.kemPk) });
    const own = { groupId: other.key.groupId, deviceId: device.deviceId };
    await store.delete(new key.GroupDeviceBinding(own));
    await store.put(new key.GroupRevokedDevice(own), null);
    return [];
  },
);

it("node-account: without its root key, if another device may have it", async () => {
  const cases: readonly (readonly [string, "info" | "warning"])[] = [
    ["none", "warning"],
    ["another device", "info"],
    ["a revoked device", "info"],
  ];
  for (const [other, severity] of cases) {
    await expectNews(await joiner(), async (store) => {
      const [{ key: of, value: device }] = await rowsOf(store, key.NodeDeviceIdentity);
      const [own] = await rowsOf(store, key.GroupDeviceBinding, (row) =>
        equalBytes(row.key.deviceId, device.deviceId),
      );
      const place = { groupId: own.key.groupId, deviceId: nobody };
      if (other === "another device")
        await store.put(new key.GroupDeviceBinding(place), { ...own.value, signPk: nobody, kemPk: nobody });
      if (other === "a revoked device") await store.put(new key.GroupRevokedDevice(place), null);
      await store.delete(new key.NodeAccountRoot({}));
      return [[severity, "node-account", of]];
    });
  }
});

itFindsIn(
  ["error", "device-epoch", "a certificate of a root key that the account does not have yet"],
  founder,
  key.GroupDeviceBinding,
  () => ({ keyEpoch: 1 }),
);

itFinds(
  "device-epoch and account-root say nothing of an account that has a new root key",
  founder,
  async (store) => {
    const [{ key: at, value }] = await bindings(store);
    await store.put(at, { ...value, keyEpoch: 1 });
    await store.put(new key.GroupAccountKey({ groupId: at.groupId, accountId: value.account }), {
      epoch: 1,
      rootPk: nobody,
    });
    return [];
  },
);

itFindsIn(
  ["error", "account-root", "the first root key under a later number"],
  founder,
  key.GroupAccountKey,
  () => ({ epoch: 1 }),
);
