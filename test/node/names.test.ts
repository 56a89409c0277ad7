/** The names of people. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { Alias, AliasKind } from "../../src/keys/index.js";
import { openNode } from "../../src/node/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

const ACCOUNT = "38ec74070851ead4ac9ee8efcb1f510b9d993452eec922c3a8a677c5a57d4774";
const SIGN_KEY = "2558586e1fb3f968e5e72c17e2ca588778974c8618aac022b518df2b2fb379f6";
const DEVICE = "12f05e9dabdd1b774ec8ebcf2f8425120f4d3e6d82d8c74761431e3fd15b99f5";

it.each([
  ["account", ACCOUNT],
  ["key of its device", SIGN_KEY],
  ["device", DEVICE],
])("an alias of an account or its %s names it among members and in histories", async (_, id) => {
  using folder = temporaryFolder();
  const path = join(folder.path, "db");
  cpSync(fixturePath("core-0.11/node-a/db"), path, { recursive: true });
  const store = await openStore(path, { writable: true });
  const key = new Alias({ aliasKind: AliasKind.Identity, scope: new Uint8Array(32), name: "Berta" });
  await store.put(key as never, fromHex(id) as never);
  await store.close();
  await using node = await openNode(path);
  const [, other] = await node.members("office");
  expect(other?.member).toMatchObject({ id: ACCOUNT, name: "Berta" });
  const deltas = await listOf(node.deltas("lobby", { limit: 1 }));
  expect(deltas.map(({ author }) => author)).toEqual([other?.member]);
  expect((await node.graph("lobby")).people).toContainEqual(other?.member);
});
