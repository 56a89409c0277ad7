/** Expressions that must compile, and expressions that must not: the key class decides the value's type. */
import { expectTypeOf, it } from "vitest";
import type { Payload } from "../../src/codec/index.js";
import {
  type AnyKey,
  ContextIdentity,
  ContextMeta,
  GroupContextMemberCap,
  GroupMember010,
  GroupMemberCapability010,
  GroupOpLog,
  GroupParentRef,
  GroupParentRefDocumented,
} from "../../src/keys/index.js";
import type { GroupMemberRole010, SignedGroupOp010 } from "../../src/payloads/index.js";
import type { Core010, Documented } from "../../src/schemas/index.js";
import type { Store } from "../../src/store/index.js";
import type { GroupMemberValue010 } from "../../src/values/index.js";

declare const store: Store<Core010>;
declare const literal: Store<Documented>;
declare const id: Uint8Array;

/** Compiled, never called. */
async function compiles(): Promise<void> {
  const member = new GroupMember010({ groupId: id, identity: id });
  expectTypeOf(await store.get(member)).toEqualTypeOf<GroupMemberValue010 | undefined>();
  expectTypeOf(await literal.get(member)).toEqualTypeOf<GroupMemberRole010 | undefined>();
  expectTypeOf(await store.getMany([member])).toEqualTypeOf<[GroupMemberValue010 | undefined]>();
  await store.put(member, { role: "Admin", privateKey: null, senderKey: null });
  await literal.put(member, "ReadOnly");
  store.batch().put(member, { role: "Admin", privateKey: null, senderKey: null }).delete(member);
  // @ts-expect-error the value of another revision
  await store.put(member, "ReadOnly");
  // @ts-expect-error the wrong value
  await store.put(member, 3);
  // @ts-expect-error a missing field
  await store.put(member, { role: "Admin", privateKey: null });
  // @ts-expect-error a surplus field
  await store.put(member, { role: "Admin", privateKey: null, senderKey: null, autoFollow: true });
  // @ts-expect-error an unknown role
  store.batch().put(member, { role: "Owner", privateKey: null, senderKey: null });
  const capability = await store.get(new GroupMemberCapability010({ groupId: id, identity: id }));
  // @ts-expect-error same parts, other kind: its value has no role
  capability?.role;
  // @ts-expect-error a key of the other revision: same kind and parts, other prefix
  await store.get(new GroupParentRefDocumented({ childGroupId: id }));
  // @ts-expect-error the other way round
  await literal.get(new GroupParentRef({ childGroupId: id }));
  // @ts-expect-error the document's key has no public key
  await literal.get(new ContextIdentity({ contextId: id, publicKey: id }));
}

async function scans(): Promise<void> {
  for await (const { key, value, error } of store.table(GroupOpLog).scan({ prefix: { groupId: id } })) {
    expectTypeOf(key.sequence).toEqualTypeOf<bigint>();
    expectTypeOf(key).toEqualTypeOf<GroupOpLog>();
    if (error === undefined) expectTypeOf(value).toEqualTypeOf<Payload<SignedGroupOp010>>();
    else expectTypeOf(value).toEqualTypeOf<undefined>();
  }
  for await (const chunk of store.table(GroupMember010).scan({ limit: 3, reverse: true }).chunks()) {
    for (const { value } of chunk) expectTypeOf(value).toEqualTypeOf<GroupMemberValue010 | undefined>();
  }
  for await (const key of store.table(GroupMember010).scan().keys()) {
    expectTypeOf(key).toEqualTypeOf<GroupMember010>();
    // @ts-expect-error keys only
    key.value;
  }
  expectTypeOf((await store.table(GroupOpLog).last({ prefix: { groupId: id } }))?.key).toEqualTypeOf<
    GroupOpLog | undefined
  >();
}

/** A kind that is given by its name or by its class. */
async function mixed(of: string | typeof GroupMember010, one: "GroupOpLog" | typeof GroupMember010) {
  const row = await (store as unknown as Store).table(of).first();
  expectTypeOf(row?.key).toExtend<AnyKey | undefined>();
  expectTypeOf(row).not.toBeNever();
  expectTypeOf(row?.value).toBeUnknown();
  const { key, value } = (await store.table(one).first({ prefix: { groupId: id } })) ?? {};
  expectTypeOf(key).toEqualTypeOf<GroupOpLog | GroupMember010 | undefined>();
  expectTypeOf(value).toEqualTypeOf<Payload<SignedGroupOp010> | GroupMemberValue010 | undefined>();
}

function keys(): void {
  // @ts-expect-error a missing part
  new GroupMember010({ groupId: id });
  // @ts-expect-error a part of another name
  new GroupMember010({ groupId: id, member: id });
  // @ts-expect-error a surplus part
  new ContextMeta({ contextId: id, groupId: id });
  // @ts-expect-error a part of another kind
  new GroupMember010({ groupId: 7, identity: id });
  new GroupMember010({ groupId: "aa", identity: id }); // hex, refused at run time for its length
  // @ts-expect-error a number for a sequence
  new GroupOpLog({ groupId: id, sequence: 1 });
  // @ts-expect-error parts cannot be changed
  new GroupMember010({ groupId: id, identity: id }).groupId = id;
  GroupMember010.range({});
  GroupMember010.range({ groupId: id });
  GroupMember010.range({ groupId: id, identity: id });
  GroupContextMemberCap.range({ groupId: id, contextId: id });
  // @ts-expect-error a trailing part without the leading one
  GroupMember010.range({ identity: id });
  // @ts-expect-error a hole
  GroupContextMemberCap.range({ groupId: id, member: id });
  // @ts-expect-error an unknown part
  GroupMember010.range({ contextId: id });
  expectTypeOf(GroupMember010.fromBytes(id)).toEqualTypeOf<GroupMember010>();
  expectTypeOf(GroupMember010.KIND).toEqualTypeOf<"GroupMember">();
  expectTypeOf(GroupMember010.PREFIX).toEqualTypeOf<0x21>();
}

it("compiles", () => {
  expectTypeOf(compiles).toBeFunction();
  expectTypeOf(scans).toBeFunction();
  expectTypeOf(mixed).toBeFunction();
  expectTypeOf(keys).toBeFunction();
});
