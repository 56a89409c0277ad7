/** The meanings of the first characters of an id. */
import { expect, it } from "vitest";
import { toBase58 } from "../../src/bytes/base58.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { BlobMeta, GroupMember } from "../../src/keys/index.js";
import { CalimeroNode } from "../../src/node/index.js";
import { base58Ranges } from "../../src/node/typed-id.js";
import { core011 } from "../../src/schemas/index.js";
import { fixtureRows } from "../support/fixtures.js";
import { rejection } from "../support/rejection.js";
import { inMemory } from "../verify/altered.js";

it("characters that begin one id in hex and another one in base58 mean both", async () => {
  const store = await inMemory("core-0.11/tables", core011);
  const typed = "4abc";
  const inHex = Buffer.from(typed.padEnd(64, "7"), "hex");
  const inBase58 = Buffer.from(base58Ranges(typed).at(-1)?.from.padEnd(64, "0") ?? "", "hex");
  inBase58[31] = 9;
  expect(toBase58(inBase58).startsWith(typed)).toBe(true);
  const value = { size: 0n, hash: new Uint8Array(32), links: [], refs: 1 };
  await store.put(new BlobMeta({ blobId: inHex }), value);
  expect(await new CalimeroNode(store).resolve(typed)).toMatchObject({ kind: "blob", id: toHex(inHex) });
  await store.put(new BlobMeta({ blobId: inBase58 }), value);
  const node = new CalimeroNode(store);
  await expect(node.resolve(typed)).rejects.toMatchObject({ code: "AMBIGUOUS_NAME" });
  expect(await node.resolve(`${typed}7`)).toMatchObject({ id: toHex(inHex) });
  expect(await node.resolve(toBase58(inBase58).slice(0, 9))).toMatchObject({ id: toHex(inBase58) });
});

it("a text that can mean more than a hundred things finds a hundred, whatever their kinds", async () => {
  const store = await inMemory("core-0.11/tables", core011);
  const typed = "4abc4abc";
  const id = (number: number) => fromHex(typed + number.toString(16).padStart(64 - typed.length, "0"));
  const member = fixtureRows("core-0.11/node-a").find(({ kind }) => kind === "GroupMember");
  for (let number = 0; number < 120; number++) {
    const blob = new BlobMeta({ blobId: id(number) });
    await store.put(blob, { size: 0n, hash: new Uint8Array(32), links: [], refs: 1 });
    const { bytes: key } = new GroupMember({ groupId: id(500), account: id(1_000 + number) });
    await store.raw.write([{ type: "put", column: "Group", key, value: fromHex(member?.value ?? "") }]);
  }
  await rejection(new CalimeroNode(store).resolve(typed), "AMBIGUOUS_NAME", / and 90 more$/);
});
