/** Invitations into a group, signed by whoever invites. */
import { b32, type Decoded, option, str, struct, u8, u64 } from "../codec/index.js";

/** What is signed: Ed25519 by the inviter over the SHA-256 of these bytes. Expiration in Unix seconds. 105 bytes. */
export const GroupInvitationFromAdmin010 = struct("GroupInvitationFromAdmin", {
  inviterIdentity: b32,
  groupId: b32,
  expirationTimestamp: u64,
  secretSalt: b32,
  invitedRole: u8,
});
export type GroupInvitationFromAdmin010 = Decoded<typeof GroupInvitationFromAdmin010>;

/** The same in core-0.11: the salt is called a nonce. 105 bytes. */
export const GroupInvitationFromAdmin = struct("GroupInvitationFromAdmin", {
  inviterIdentity: b32,
  groupId: b32,
  expirationTimestamp: u64,
  invitationNonce: b32,
  invitedRole: u8,
});
export type GroupInvitationFromAdmin = Decoded<typeof GroupInvitationFromAdmin>;

/** An invitation with its signature: the hex digits of 64 bytes. From 109 bytes. */
export const SignedGroupOpenInvitation010 = struct("SignedGroupOpenInvitation", {
  invitation: GroupInvitationFromAdmin010,
  inviterSignature: str,
});
export type SignedGroupOpenInvitation010 = Decoded<typeof SignedGroupOpenInvitation010>;

/** The same in core-0.11, with hints that are not signed. From 112 bytes. */
export const SignedGroupOpenInvitation = struct("SignedGroupOpenInvitation", {
  invitation: GroupInvitationFromAdmin,
  inviterSignature: str,
  inviterAccount: option(b32),
  applicationId: option(b32),
  appKey: option(b32),
});
export type SignedGroupOpenInvitation = Decoded<typeof SignedGroupOpenInvitation>;
