/** Invitations into a group, signed by whoever invites. */
import { b32, type Decoded, option, str, struct, u8, u64 } from "../codec/index.js";

/** What is signed: Ed25519 by the inviter over the SHA-256 of these bytes. Expiration in Unix seconds. 105 bytes. */
export const GroupInvitationFromAdmin = struct("GroupInvitationFromAdmin", {
  inviterIdentity: b32,
  groupId: b32,
  expirationTimestamp: u64,
  secretSalt: b32,
  invitedRole: u8,
});
export type GroupInvitationFromAdmin = Decoded<typeof GroupInvitationFromAdmin>;

/** The same in core-0.11: the salt is called a nonce. 105 bytes. */
export const GroupInvitationFromAdmin011 = struct("GroupInvitationFromAdmin", {
  inviterIdentity: b32,
  groupId: b32,
  expirationTimestamp: u64,
  invitationNonce: b32,
  invitedRole: u8,
});
export type GroupInvitationFromAdmin011 = Decoded<typeof GroupInvitationFromAdmin011>;

/** An invitation with its signature: the hex digits of 64 bytes. From 109 bytes. */
export const SignedGroupOpenInvitation = struct("SignedGroupOpenInvitation", {
  invitation: GroupInvitationFromAdmin,
  inviterSignature: str,
});
export type SignedGroupOpenInvitation = Decoded<typeof SignedGroupOpenInvitation>;

/** The same in core-0.11, with hints that are not signed. From 112 bytes. */
export const SignedGroupOpenInvitation011 = struct("SignedGroupOpenInvitation", {
  invitation: GroupInvitationFromAdmin011,
  inviterSignature: str,
  inviterAccount: option(b32),
  applicationId: option(b32),
  appKey: option(b32),
});
export type SignedGroupOpenInvitation011 = Decoded<typeof SignedGroupOpenInvitation011>;
