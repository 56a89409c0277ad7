/** Operations on groups inside operations on namespaces, encrypted with a key of the group. */
import type { Codec } from "../../codec/index.js";
import { type DecryptedGroupOp, decryptGroupOp } from "../../digests/index.js";
import { GroupKeyEntry, NamespaceGovOp } from "../../keys/index.js";
import {
  type EncryptedGroupOp,
  GroupOp010,
  GroupOp011,
  readableGroupOp,
  readableRootOp,
  SignedNamespaceOp,
} from "../../payloads/index.js";
import type { ValueFor } from "../../schemas/index.js";
import { COMPARE } from "../advice.js";
import type { RowFinding } from "../finding.js";
import { type GoodRow, onBatch, type Rule } from "../rule.js";
import { only010, only011, type Since010, since10 } from "../since.js";
import type { Tools } from "../tools.js";
import { unreadable } from "../unreadable.js";
import { operationsIn } from "./signed-operations.js";

/** An encrypted operation inside an operation on the namespace. */
export interface Encrypted {
  /** The row of the operation on the namespace. */
  readonly key: NamespaceGovOp;
  readonly groupId: Uint8Array;
  readonly keyId: Uint8Array;
  readonly encrypted: EncryptedGroupOp;
}

/** A row with an operation on the namespace, of any revision. */
type NamespaceRow = GoodRow<NamespaceGovOp, ValueFor<Since010, NamespaceGovOp>>;

/** Decrypts operations with the keys of their groups or of the namespace. */
export async function decryptAll<Op>(
  operations: readonly Encrypted[],
  tools: Tools<Since010>,
  codec: Pick<Codec<Op>, "decode">,
): Promise<readonly DecryptedGroupOp<Op>[]> {
  const ofGroups = await tools.find(
    operations.map(({ groupId, keyId }) => new GroupKeyEntry({ groupId, keyId })),
  );
  const ofNamespaces = await tools.find(
    operations.map(({ key, keyId }) => new GroupKeyEntry({ groupId: key.namespaceId, keyId })),
  );
  return Promise.all(
    operations.map(({ encrypted }, at) => {
      const keys = [ofGroups[at]?.value?.groupKey, ofNamespaces[at]?.value?.groupKey];
      return decryptGroupOp(encrypted, keys, codec);
    }),
  );
}

const messages = {
  "does not decrypt": "the operation does not decrypt under the group key that it names",
  "does not decode": "the decrypted bytes are not such an operation",
};

type Kind = "Group" | "RootSealed" | "RootRelaySealed" | "RootSealedForGroup";

/** The encrypted operations of a kind. */
function encryptedIn(rows: readonly NamespaceRow[], kind: Kind): readonly Encrypted[] {
  return operationsIn(rows).flatMap(({ key, operation: { op } }): Encrypted[] => {
    if (op.kind !== kind || !("encrypted" in op)) return [];
    return [{ key, ...op, groupId: "groupId" in op ? op.groupId : key.namespaceId }];
  });
}

/** Reports the operations that do not decrypt although their key is there. Findings do not show the content. */
async function* undecrypted<Op>(
  rows: readonly NamespaceRow[],
  tools: Tools<Since010>,
  codec: Pick<Codec<Op>, "decode">,
  kind: Kind = "Group",
): AsyncGenerator<RowFinding, void, undefined> {
  const operations = encryptedIn(rows, kind);
  if (operations.length === 0) return;
  const found = await decryptAll(operations, tools, codec);
  for (const [at, { key, keyId }] of operations.entries()) {
    const why = found[at]?.why;
    if (why === "no key") continue;
    tools.checked();
    if (why === undefined) continue;
    const writer = why === "does not decode" ? tools.writerOf(found[at] ?? {}) : undefined;
    const message = messages[why];
    yield { key, found: keyId, ...(writer === undefined ? { message } : unreadable(message, writer)) };
  }
}

export const encryptedOperation: Rule = {
  name: "encrypted-operation",
  relations: [50],
  severity: "error",
  says: "An encrypted operation decrypts under the key that it names, if that is there, and is one.",
  means: "The node cannot read an operation of the group although it has the key. One of the two is damaged.",
  advice: COMPARE,
  checks: [
    onBatch(only010, NamespaceGovOp, (rows, tools) => undecrypted(rows, tools, GroupOp010)),
    onBatch(only011, NamespaceGovOp, (rows, tools) => undecrypted(rows, tools, GroupOp011)),
    onBatch(since10, NamespaceGovOp, async function* (rows, tools) {
      yield* undecrypted(rows, tools, readableGroupOp);
      yield* undecrypted(rows, tools, readableRootOp, "RootSealed");
      yield* undecrypted(rows, tools, readableRootOp, "RootSealedForGroup");
      yield* undecrypted(rows, tools, SignedNamespaceOp, "RootRelaySealed");
    }),
  ],
};
