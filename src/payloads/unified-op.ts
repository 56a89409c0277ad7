/** Operations of namespaces and contexts in one form, since core-0.11. */
import { b32, b64, bool, bytes, type Decoded, enumOf, struct, u32, vec } from "../codec/index.js";
import { accountChain, DeviceCert, RootKeyHandoff } from "./account.js";
import { HybridTimestamp } from "./hybrid-timestamp.js";
import { GroupMemberRole } from "./member-role.js";
import { Writers } from "./storage-type.js";

/** Who made an operation. 96 bytes. */
export const Authorship = struct("Authorship", { account: b32, device: b32, deviceKey: b32 });
export type Authorship = Decoded<typeof Authorship>;

/** What an operation does. From 1 byte. */
export const OpPayload = enumOf("OpPayload", {
  Put: { entity: b32, value: bytes },
  Delete: { entity: b32 },
  SetWriters: { object: b32, writers: Writers },
  MemberAdded: { group: b32, member: b32, role: GroupMemberRole },
  MemberRemoved: { group: b32, member: b32 },
  AdminChanged: { newAdmin: b32 },
  PolicyUpdated: { policyBytes: bytes },
  SubgroupCreated: { child: b32, parent: b32, restricted: bool, admin: b32 },
  SubgroupReparented: { child: b32, newParent: b32 },
  SubgroupDeleted: { scope: b32 },
  SubgroupVisibilitySet: { scope: b32, restricted: bool },
  DefaultCapabilitiesSet: { group: b32, capabilities: u32 },
  MemberCapabilitySet: { group: b32, member: b32, capabilities: u32 },
  Noop: {},
  DeviceLinked: { ...accountChain, cert: DeviceCert },
  DeviceRevoked: { account: b32, device: b32 },
  AccountKeysRotated: { handoff: RootKeyHandoff },
  MemberJoinedWithDevice: {
    group: b32,
    member: b32,
    role: GroupMemberRole,
    ...accountChain,
    cert: DeviceCert,
  },
  Opaque: { group: b32 },
});
export type OpPayload = Decoded<typeof OpPayload>;

/** An operation. Rows that bridge from governance have zeros for root and signature. From 285 bytes. */
export const Op = struct("Op", {
  id: b32,
  scope: b32,
  parents: vec(b32),
  authorship: Authorship,
  hlc: HybridTimestamp,
  payload: OpPayload,
  expectedScopeRoot: b32,
  signature: b64,
});
export type Op = Decoded<typeof Op>;
