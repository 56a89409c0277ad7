import { sha256 } from "../crypto/index.js";
import {
  GroupInvitationFromAdmin,
  GroupInvitationFromAdmin010,
  GroupInvitationFromAdmin011,
} from "../payloads/invitation.js";

/**
 * The digest that the inviter signs: the SHA-256 of the invitation's five fields, 105 bytes (schema 4.6). The digest is
 * the message, the key is `inviterIdentity`; `inviterSignature` holds the signature as hex digits. 32 bytes.
 */
export function invitationDigest010(invitation: GroupInvitationFromAdmin010): Uint8Array {
  return sha256(GroupInvitationFromAdmin010.encode(invitation));
}

/** The same in core-0.11; the hints beside the invitation are not covered. 32 bytes. */
export function invitationDigest011(invitation: GroupInvitationFromAdmin011): Uint8Array {
  return sha256(GroupInvitationFromAdmin011.encode(invitation));
}

/** The same in core-1.0, with the accounts that may admit. 32 bytes. */
export function invitationDigest(invitation: GroupInvitationFromAdmin): Uint8Array {
  return sha256(GroupInvitationFromAdmin.encode(invitation));
}
