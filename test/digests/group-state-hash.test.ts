/** The hash of a group's state. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { groupStateHash } from "../../src/digests/index.js";
import { GroupMemberRole } from "../../src/payloads/index.js";

const id = (byte: number) => new Uint8Array(32).fill(byte);

it("covers members of every role, in the order of their ids", () => {
  const roles = ["RelayTee", "ReadOnlyTee", "ReadOnly", "Member", "Admin"] as const;
  const members = roles.map((role, at) => ({ id: id(9 - at), role }));
  const hash = createHash("sha256");
  for (const byte of [1, 2, 3, 4]) hash.update(id(byte));
  // Admin has the least id and the number 0, RelayTee the greatest and 4.
  for (const number of [0, 1, 2, 3, 4]) hash.update(id(5 + number)).update(Uint8Array.of(number));
  const state = { groupId: id(1), admin: id(2), owner: id(3), targetApplicationId: id(4), members };
  expect(groupStateHash(state)).toEqual(new Uint8Array(hash.digest()));
  expect(roles.map((role) => GroupMemberRole.encode(role)[0])).toEqual([4, 3, 2, 1, 0]);
});
