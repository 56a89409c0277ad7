/** Payloads that stay bytes in core-0.10: their place in the JSON form is taken by hex. */
import { toHex } from "../../src/bytes/hex.js";
import type { Json } from "../../src/codec/index.js";

/** The fields, by type or kind, that hold a payload; the empty name is the value itself. */
const payloadFields: Readonly<Record<string, string>> = {
  ContextDagDelta: "actions",
  NamespaceGovOpValue: "skeletonBytes",
  NamespaceGovOp: "skeletonBytes",
  GroupOpLog: "",
  ContextState: "",
};

/** `decoded` with the payload's bytes of `value` in place of what they hold. */
export function payloadsAsHex(type: string, decoded: Json, value: unknown): Json {
  const field = payloadFields[type];
  if (field === undefined) return decoded;
  if (field === "") return toHex(value as Uint8Array);
  const bytes = (value as Readonly<Record<string, unknown>>)[field];
  return bytes instanceof Uint8Array ? { ...(decoded as object), [field]: toHex(bytes) } : decoded;
}
