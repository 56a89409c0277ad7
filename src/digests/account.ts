/**
 * Ids and signed digests of accounts, since core-0.11 (schema 4.9). All are SHA-256 over a domain and parts, each
 * after its length as u64: `D(domain, p1, …) = SHA-256(len ‖ domain ‖ len ‖ p1 ‖ …)`. 32 bytes. Signatures are Ed25519
 * over the digest.
 */
import { u32, u64 } from "../codec/index.js";
import { sha256 } from "../crypto/index.js";
import {
  AccountGenesis,
  type AccountMemberEndorsement,
  type DeviceCert,
  type DeviceRevocation,
  type RootKeyHandoff,
} from "../payloads/index.js";
import { utf8 } from "./utf8.js";

function digest(domain: string, ...parts: readonly Uint8Array[]): Uint8Array {
  return sha256(...[utf8(domain), ...parts].flatMap((part) => [u64.encode(BigInt(part.length)), part]));
}

/** The id of an account: D(`calimero.account.genesis.v1`, borsh(genesis)). */
export function accountId(genesis: AccountGenesis): Uint8Array {
  return digest("calimero.account.genesis.v1", AccountGenesis.encode(genesis));
}

/** The id of a device: D(`calimero.device.id.v1`, account, nonce). The nonce, 16 bytes, is not stored. */
export function deviceId(account: Uint8Array, nonce: Uint8Array): Uint8Array {
  return digest("calimero.device.id.v1", account, nonce);
}

/**
 * The digest that the outgoing root key signs: D(`calimero.account.handoff.v1`, account, from_epoch u32,
 * new_root_sign_pk).
 */
export function handoffDigest({
  account,
  fromEpoch,
  newRootSignPk,
}: Omit<RootKeyHandoff, "signature">): Uint8Array {
  return digest("calimero.account.handoff.v1", account, u32.encode(fromEpoch), newRootSignPk);
}

/**
 * The digest that the root key of `keyEpoch` signs for a device: D(`calimero.device.cert.v1`, account, device, sign_pk,
 * kem_pk, key_epoch u32, device_epoch u32).
 */
export function deviceCertDigest(cert: Omit<DeviceCert, "signature">): Uint8Array {
  return digest(
    "calimero.device.cert.v1",
    cert.account,
    cert.device,
    cert.signPk,
    cert.kemPk,
    u32.encode(cert.keyEpoch),
    u32.encode(cert.deviceEpoch),
  );
}

/**
 * The digest that the root key signs to revoke a device: D(`calimero.device.revocation.v1`, account, device, key_epoch
 * u32).
 */
export function deviceRevocationDigest(revocation: Omit<DeviceRevocation, "signature">): Uint8Array {
  const { account, device, keyEpoch } = revocation;
  return digest("calimero.device.revocation.v1", account, device, u32.encode(keyEpoch));
}

/** The digest that a member signs to vouch for an account: D(`calimero.account.endorsement.v1`, account, member). */
export function endorsementDigest(endorsement: Omit<AccountMemberEndorsement, "signature">): Uint8Array {
  return digest("calimero.account.endorsement.v1", endorsement.account, endorsement.member);
}
