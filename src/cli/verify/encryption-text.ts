/** The encryption of a database, in words and as JSON. */
import { count, counted } from "../../bytes/quantity.js";
import {
  countEncryption,
  EncryptedEngine,
  type EncryptionCount,
  recogniseEncryption,
} from "../../encryption/index.js";
import type { ProgressOptions } from "../../progress.js";
import type { Store } from "../../store/index.js";

/** Counts encrypted rows; undefined for a database without any, unless it was opened with a key. */
export async function encryptionOf(
  store: Store,
  options: ProgressOptions = {},
): Promise<EncryptionCount | undefined> {
  if (!(store.raw instanceof EncryptedEngine && store.raw.hasKey)) {
    const state = await recogniseEncryption(store.raw);
    if (state === "plain" || state === "empty") return undefined;
  }
  return countEncryption(store.raw, options);
}

/** A line with the state, and the number of rows in each form. */
export function encryptionText(counted: EncryptionCount): string {
  const { state, withKey, versions, rules } = counted;
  const parts = withKey ? rowParts(counted) : voteParts(counted);
  const version =
    versions.length === 0
      ? []
      : [`key ${versions.length === 1 ? "version" : "versions"} ${versions.join(", ")}`];
  const rule = rules.length === 0 ? [] : [`as by nodes of ${rules.join(" and ")}`];
  return [state, ...parts, ...version, ...rule].join(", ");
}

function rowParts({ encrypted, plain, foreign }: EncryptionCount): string[] {
  return [
    `${count(encrypted)} encrypted`,
    ...(plain > 0 ? [`${count(plain)} not encrypted`] : []),
    ...(foreign > 0 ? [`${count(foreign)} that the master key does not decrypt`] : []),
  ];
}

function voteParts({ encrypted, plain }: EncryptionCount): string[] {
  const fixed = `of ${counted(encrypted + plain, "row")} of a fixed length`;
  return ["without the master key", `${count(encrypted)} ${fixed} look encrypted`];
}
