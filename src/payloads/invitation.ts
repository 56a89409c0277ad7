/** Invitations into a group, signed by the inviter. */
import { b32, type Decoded, option, seconds, str, struct, u8, u64, vec } from "../codec/index.js";

const signedPart = {
  /** The inviter's Ed25519 public key, 32 bytes. */
  inviterIdentity: b32,
  /** The group's id, 32 bytes. */
  groupId: b32,
  /** Unix seconds; 0 for an invitation that does not expire. */
  expirationTimestamp: seconds(u64),
  /** A nonce of 32 bytes: the invitation serves an account once. */
  invitationNonce: b32,
  /** Number of the role that it gives: 0 Admin, 1 Member, 2 ReadOnly. */
  invitedRole: u8,
} as const;

/** The part of an invitation that is signed: Ed25519 by the inviter over the SHA-256 of these bytes. From 109 bytes. */
export const GroupInvitationFromAdmin = struct("GroupInvitationFromAdmin", {
  ...signedPart,
  /** Account ids of the members who may admit the joiner, 32 bytes each. */
  admitters: vec(b32),
});
export type GroupInvitationFromAdmin = Decoded<typeof GroupInvitationFromAdmin>;

/** The part of an invitation that is signed, in core-0.11. 105 bytes. */
export const GroupInvitationFromAdmin011 = struct("GroupInvitationFromAdmin", signedPart);
export type GroupInvitationFromAdmin011 = Decoded<typeof GroupInvitationFromAdmin011>;

/** The part of an invitation that is signed, in core-0.10: the nonce is called a salt. 105 bytes. */
export const GroupInvitationFromAdmin010 = struct("GroupInvitationFromAdmin", {
  /** The inviter's Ed25519 public key, 32 bytes. */
  inviterIdentity: b32,
  /** The group's id, 32 bytes. */
  groupId: b32,
  /** When it expires, in Unix seconds. */
  expirationTimestamp: seconds(u64),
  /** A salt of 32 bytes. */
  secretSalt: b32,
  /** 0 for Admin, 2 for ReadOnly; any other number is Member. */
  invitedRole: u8,
});
export type GroupInvitationFromAdmin010 = Decoded<typeof GroupInvitationFromAdmin010>;

const inviter = {
  /** Ed25519 signature over the SHA-256 of `invitation` in Borsh: 128 hex digits. */
  inviterSignature: str,
  /** The inviter's account id, 32 bytes, or null. Not signed. */
  inviterAccount: option(b32),
} as const;

const application = {
  /** Id of the group's application, 32 bytes, or null. Not signed. */
  applicationId: option(b32),
  /** App key of the group, 32 bytes, or null. Not signed. */
  appKey: option(b32),
} as const;

/** An invitation with its signature and with hints that are not signed. From 120 bytes. */
export const SignedGroupOpenInvitation = struct("SignedGroupOpenInvitation", {
  /** The part that is signed. */
  invitation: GroupInvitationFromAdmin,
  ...inviter,
  /** Network addresses of the admitters. Not signed. */
  admitterAddrs: vec(str),
  ...application,
});
export type SignedGroupOpenInvitation = Decoded<typeof SignedGroupOpenInvitation>;

/** An invitation with its signature and with hints that are not signed, in core-0.11. From 112 bytes. */
export const SignedGroupOpenInvitation011 = struct("SignedGroupOpenInvitation", {
  /** The part that is signed. */
  invitation: GroupInvitationFromAdmin011,
  ...inviter,
  ...application,
});
export type SignedGroupOpenInvitation011 = Decoded<typeof SignedGroupOpenInvitation011>;

/** An invitation with its signature, in core-0.10. From 109 bytes. */
export const SignedGroupOpenInvitation010 = struct("SignedGroupOpenInvitation", {
  /** The part that is signed. */
  invitation: GroupInvitationFromAdmin010,
  /** Ed25519 signature over the SHA-256 of `invitation` in Borsh: 128 hex digits. */
  inviterSignature: str,
});
export type SignedGroupOpenInvitation010 = Decoded<typeof SignedGroupOpenInvitation010>;
