/** Signed operations on groups and namespaces, of any revision. */
import type { NamespaceGovOp } from "../../keys/index.js";
import type { ValueFor } from "../../schemas/index.js";
import type { GoodRow } from "../rule.js";
import type { Since010 } from "../since.js";
import type { Signed } from "../work.js";

type EntryValue = ValueFor<Since010, NamespaceGovOp>;

/** The signed operations in rows of these values. */
type SignedIn<V extends EntryValue> = Extract<
  V["skeletonBytes"]["value"],
  { readonly kind: "Signed" }
>["value"];

/** The operation on a namespace in a row; undefined if only its frame is known. */
export function operationIn<V extends EntryValue>(value: V): SignedIn<V> | undefined {
  const entry = value.skeletonBytes.value;
  return entry?.kind === "Signed" ? (entry.value as SignedIn<V>) : undefined;
}

/** The operations on a namespace in rows, each with its key. */
export function operationsIn<V extends EntryValue>(
  rows: readonly GoodRow<NamespaceGovOp, V>[],
): { readonly key: NamespaceGovOp; readonly operation: SignedIn<V> }[] {
  return rows.flatMap(({ key, value }) => {
    const operation = operationIn(value);
    return operation === undefined ? [] : [{ key, operation }];
  });
}

interface AnyOperation {
  readonly version: number;
  readonly signer: Uint8Array;
  readonly signature: Uint8Array;
}

/** The signature of an operation by its signer. core-0.10 verifies permissively. */
export function bySigner(operation: AnyOperation, message: Uint8Array): Signed {
  const { signer: publicKey, signature } = operation;
  return { publicKey, message, signature, strict: !("stateHash" in operation) };
}

/**
 * The version that a node expects, if the operation has another one, which the node refuses; undefined otherwise.
 *
 * @param of010 the version in core-0.10
 * @param of011 the version in core-0.11; core-1.0 has this and later ones, which may go on
 */
export function expectedVersion(operation: AnyOperation, of010: number, of011: number): string | undefined {
  const { version } = operation;
  if ("kind" in operation) return version >= of011 ? undefined : `at least ${of011}`;
  const expected = "stateHash" in operation ? of010 : of011;
  return version === expected ? undefined : `${expected}`;
}
