/** Accounts, their devices and their root keys, since core-0.11. */
import { toHex } from "../../../bytes/hex.js";
import { equalBytes } from "../../../bytes/order.js";
import {
  accountId,
  deviceCertDigest,
  deviceRevocationDigest,
  handoffDigest,
} from "../../../digests/index.js";
import type {
  DeviceCert,
  JoinAccountCredential,
  RootKeyHandoff,
  SignedDeviceRevocation,
} from "../../../payloads/index.js";
import type { Step } from "./step.js";

interface LinkOptions {
  /** True if the node refuses the whole operation for an invalid certificate: a stored one was valid then. */
  readonly isAccepted?: boolean;
  /** The number of the list of applications that the device acts for, since core-1.0; undefined if it is not known. */
  readonly scopeEpoch?: number | undefined;
}

type Chain = Pick<JoinAccountCredential, "genesis" | "chain">;

/** Binds a device to its account in a group. Returns whether the certificate is valid. */
export function linkDevice(
  step: Step,
  group: string,
  { genesis, chain }: Chain,
  cert: DeviceCert,
  { isAccepted = false, scopeEpoch }: LinkOptions = {},
): boolean {
  const { rows } = step;
  const account = toHex(cert.account);
  if (!equalBytes(accountId(genesis), cert.account)) return false;
  if (!rows.has("GroupAccountKey", group, account))
    rows.set("GroupAccountKey", [group, account], { epoch: 0, rootPk: genesis.rootSignPk });
  for (const handoff of chain) if (!rotateRootKey(step, group, handoff)) break;
  if (
    !isAccepted &&
    !isSignedBy(step, rootKeys(genesis, chain)[cert.keyEpoch], deviceCertDigest(cert), cert.signature)
  )
    return false;
  const device = toHex(cert.device);
  if (rows.has("GroupRevokedDevice", group, device)) return true;
  const { account: id, signPk, kemPk, deviceEpoch, keyEpoch } = cert;
  const bound = rows.get("GroupDeviceBinding", group, device);
  if (bound !== undefined && (!equalBytes(bound.account, id) || bound.deviceEpoch >= deviceEpoch))
    return true;
  const binding = { account: id, signPk, kemPk, deviceEpoch, keyEpoch };
  rows.set(
    "GroupDeviceBinding",
    [group, device],
    scopeEpoch === undefined ? binding : { ...binding, scopeEpoch },
  );
  if (group === step.namespace) step.accounts.set(toHex(signPk), account);
  return true;
}

/** Binds a device by the credential of a joiner, who vouches for itself. */
export function linkJoiner(step: Step, member: string, credential: JoinAccountCredential): void {
  linkDevice(step, step.namespace, credential, credential.statement, { isAccepted: true });
  step.rows.set("GroupAccountEndorser", [step.namespace, member, member], null);
}

/** Changes the root key of an account, if the change follows the current one. Returns false if it is not signed by that. */
export function rotateRootKey(step: Step, group: string, handoff: RootKeyHandoff): boolean {
  const { rows } = step;
  const account = toHex(handoff.account);
  const current = rows.get("GroupAccountKey", group, account);
  if (current?.epoch !== handoff.fromEpoch) return true;
  if (!isSignedBy(step, current.rootPk, handoffDigest(handoff), handoff.signature)) return false;
  rows.set("GroupAccountKey", [group, account], { epoch: current.epoch + 1, rootPk: handoff.newRootSignPk });
  return true;
}

/** Returns whether an account revoked its own device. */
export function isRevokedByAccount(
  step: Step,
  group: string,
  device: Uint8Array,
  { genesis, chain, statement }: SignedDeviceRevocation,
): boolean {
  const { rows } = step;
  const bound = rows.get("GroupDeviceBinding", group, toHex(device));
  if (bound === undefined || !equalBytes(bound.account, statement.account)) return false;
  if (!equalBytes(statement.device, device) || !equalBytes(accountId(genesis), statement.account))
    return false;
  const rootKey = rootKeys(genesis, chain)[statement.keyEpoch];
  return isSignedBy(step, rootKey, deviceRevocationDigest(statement), statement.signature);
}

function rootKeys(genesis: Chain["genesis"], chain: Chain["chain"]): readonly Uint8Array[] {
  return [genesis.rootSignPk, ...chain.map(({ newRootSignPk }) => newRootSignPk)];
}

function isSignedBy(
  { signatures }: Step,
  key: Uint8Array | undefined,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  return key !== undefined && signatures.isValid(key, digest, signature);
}
