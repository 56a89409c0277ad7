/** Operations on groups inside those of namespaces: encrypted under a key of the group. */
import { type Codec, DecodeError } from "../../codec/index.js";
import { decryptAesGcm } from "../../crypto/index.js";
import { GroupKeyEntry, NamespaceGovOp } from "../../keys/index.js";
import { type EncryptedGroupOp, GroupOp, GroupOp010 } from "../../payloads/index.js";
import { core010, core011 } from "../../schemas/index.js";
import { COMPARE } from "../advice.js";
import type { Broken } from "../finding.js";
import { on, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import type { AnyCore } from "./entities.js";

/** An operation on a group, as it is inside one on the namespace. */
export interface Encrypted {
  /** The row of the operation on the namespace. */
  readonly key: NamespaceGovOp;
  readonly groupId: Uint8Array;
  readonly keyId: Uint8Array;
  readonly encrypted: EncryptedGroupOp;
}

/** What operations decrypt to: "no key" where the key is not there, undefined where it is and does not fit. */
export async function plaintexts(
  operations: readonly Encrypted[],
  tools: Tools<AnyCore>,
): Promise<readonly (Uint8Array | undefined | "no key")[]> {
  const ofGroups = await tools.find(
    operations.map(({ groupId, keyId }) => new GroupKeyEntry({ groupId, keyId })),
  );
  // Open subgroups of core-0.11 use the keys of the namespace.
  const ofNamespaces = await tools.find(
    operations.map(({ key, keyId }) => new GroupKeyEntry({ groupId: key.namespaceId, keyId })),
  );
  return Promise.all(
    operations.map(async ({ encrypted }, at) => {
      const entry = ofGroups[at]?.value ?? ofNamespaces[at]?.value;
      return entry === undefined ? "no key" : decryptAesGcm({ key: entry.groupKey, ...encrypted });
    }),
  );
}

/** Decrypts the operations whose key is there. What is inside is not shown. */
async function* decryptAll(
  operations: readonly Encrypted[],
  tools: Tools<AnyCore>,
  codec: Codec<GroupOp010> | Codec<GroupOp>,
): AsyncGenerator<Broken, void, undefined> {
  const found = await plaintexts(operations, tools);
  for (const [at, { key, keyId }] of operations.entries()) {
    const plaintext = found[at];
    if (plaintext === "no key") continue;
    tools.checked();
    if (plaintext === undefined)
      yield {
        key,
        message: "the operation does not decrypt under the group key that it names",
        found: keyId,
      };
    else if (!decodes(codec, plaintext))
      yield { key, message: "what the operation decrypts to is no operation on a group", found: keyId };
  }
}

function decodes(codec: Codec<GroupOp010> | Codec<GroupOp>, bytes: Uint8Array): boolean {
  try {
    codec.decode(bytes);
    return true;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return false;
  }
}

export const encryptedOperation: Rule = {
  name: "encrypted-operation",
  relations: [50],
  severity: "error",
  says: "An operation on a group decrypts under the key that it names, if that is there, and is one.",
  means: "The node cannot read an operation of the group although it has the key. One of the two is damaged.",
  advice: COMPARE,
  checks: [
    on([core010], NamespaceGovOp, async function* (batches, tools) {
      for await (const rows of batches) {
        const operations = rows.flatMap(({ key, value }): Encrypted[] => {
          const entry = value.skeletonBytes.value;
          return entry?.kind === "Signed" && entry.value.op.kind === "Group"
            ? [{ key, ...entry.value.op }]
            : [];
        });
        yield* decryptAll(operations, tools, GroupOp010);
      }
    }),
    on([core011], NamespaceGovOp, async function* (batches, tools) {
      for await (const rows of batches) {
        const operations = rows.flatMap(({ key, value }): Encrypted[] => {
          const entry = value.skeletonBytes.value;
          return entry?.kind === "Signed" && entry.value.op.kind === "Group"
            ? [{ key, ...entry.value.op }]
            : [];
        });
        yield* decryptAll(operations, tools, GroupOp);
      }
    }),
  ],
};
