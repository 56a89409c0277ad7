/**
 * Ids and signed digests of accounts, since core-0.11 (schema 4.9): {@link domainDigest} with a domain of their own.
 * Signatures are Ed25519 over the digest. 32 bytes.
 */
import { u32 } from "../codec/index.js";
import {
  AccountGenesis,
  type AccountMemberEndorsement,
  type DeviceCert,
  type DeviceRevocation,
  type DeviceScope,
  type RootKeyHandoff,
} from "../payloads/index.js";
import { domainDigest } from "./domain-digest.js";

/** The id of an account: D(`calimero.account.genesis.v1`, borsh(genesis)). */
export function accountId(genesis: AccountGenesis): Uint8Array {
  return domainDigest("calimero.account.genesis.v1", AccountGenesis.encode(genesis));
}

/** The id of a device: D(`calimero.device.id.v1`, account, nonce). The nonce, 16 bytes, is not stored. */
export function deviceId(account: Uint8Array, nonce: Uint8Array): Uint8Array {
  return domainDigest("calimero.device.id.v1", account, nonce);
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
  return domainDigest("calimero.account.handoff.v1", account, u32.encode(fromEpoch), newRootSignPk);
}

/**
 * The digest that the root key of `keyEpoch` signs for a device: D(`calimero.device.cert.v1`, account, device, sign_pk,
 * kem_pk, key_epoch u32, device_epoch u32).
 */
export function deviceCertDigest(cert: Omit<DeviceCert, "signature">): Uint8Array {
  return domainDigest(
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
  return domainDigest("calimero.device.revocation.v1", account, device, u32.encode(keyEpoch));
}

/**
 * The digest that the root key signs for the applications of a device, since core-1.0: D(`calimero.device.scope.v1`,
 * account, device, scope_epoch u32, key_epoch u32, each application).
 */
export function deviceScopeDigest(scope: Omit<DeviceScope, "signature">): Uint8Array {
  const { account, device, scopeEpoch, keyEpoch, applications } = scope;
  return domainDigest(
    "calimero.device.scope.v1",
    account,
    device,
    u32.encode(scopeEpoch),
    u32.encode(keyEpoch),
    ...applications,
  );
}

/** The digest that a member signs to vouch for an account: D(`calimero.account.endorsement.v1`, account, member). */
export function endorsementDigest(endorsement: Omit<AccountMemberEndorsement, "signature">): Uint8Array {
  return domainDigest("calimero.account.endorsement.v1", endorsement.account, endorsement.member);
}
