/** The code that contexts were made with, as the operations that register them name it. */
import { Pause } from "../../pause.js";
import type { AnyGroupOp } from "../sentences/group.js";
import { insideOf, type NodeReader, rowsOf } from "../tables/rows.js";
import { Keyring } from "./keyring.js";
import { storedOperation } from "./stored.js";

/** The code of a context, as the operation that registers it names it. */
export interface RegisteredCode {
  /** The kind of row that holds the operation. */
  readonly kind: "NamespaceGovOp" | "GroupOpLog";
  /** The context's id, 32 bytes. */
  readonly contextId: Uint8Array;
  /** The application's id, 32 bytes. */
  readonly applicationId: Uint8Array;
  /** Blob id of the code, 32 bytes. */
  readonly blobId: Uint8Array;
}

/** Reads all operations that this database can read, some of them twice: in the namespace's log and in the group's own. */
export async function* registeredCode(reader: NodeReader): AsyncGenerator<RegisteredCode, void, undefined> {
  const pause = new Pause();
  for await (const rows of rowsOf(reader, "GroupOpLog")) {
    await pause.ifLong();
    for (const { key, value } of rows) {
      const signed = insideOf(reader, key, value);
      if (signed !== undefined) yield* registeredBy(signed.op, "GroupOpLog");
    }
  }
  const keyring = await Keyring.read(reader);
  for await (const rows of rowsOf(reader, "NamespaceGovOp"))
    for (const row of rows) {
      await pause.ifLong();
      const { signed } = storedOperation(reader, row) ?? {};
      if (signed?.op.kind !== "Group") continue;
      const { encrypted, keyId, groupId } = signed.op;
      const { op } = await keyring.decrypt(encrypted, keyId, groupId, row.key.namespaceId);
      if (op !== undefined) yield* registeredBy(op, "NamespaceGovOp");
    }
}

function* registeredBy(op: AnyGroupOp, kind: RegisteredCode["kind"]): Generator<RegisteredCode> {
  if (op.kind === "OnBehalf") yield* registeredBy(op.op, kind);
  if (op.kind !== "ContextRegistered" && op.kind !== "ContextRegisteredOnBehalf") return;
  const { contextId, applicationId, blobId } = op;
  yield { kind, contextId, applicationId, blobId };
}
