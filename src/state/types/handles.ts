/** Whether bytes are the handle of a collection: its entity must exist, and what its row says must fit. */
import { toHex } from "../../bytes/hex.js";
import type { AnyCrdtType } from "../index-row.js";
import type { HandleTest } from "./readings.js";
import { handleSize } from "./type.js";

/** The name and the type of an entity that lives, from its index row. */
export interface LiveEntity {
  /** The stored name, or null. */
  readonly name: string | null;
  /** The type that the row states, or null. */
  readonly crdtType: AnyCrdtType | null;
}

/** Returns the entities with these ids that live, in their order; undefined for the others. */
export type LookUp = (ids: readonly Uint8Array[]) => Promise<readonly (LiveEntity | undefined)[]>;

/** Tests handles. An id that was not looked up yet passes, and is remembered: call {@link load}, then test again. */
export class HandleLookups {
  readonly #lookUp: LookUp;
  readonly #known = new Map<string, LiveEntity | undefined>();
  readonly #wanted = new Map<string, Uint8Array>();

  constructor(lookUp: LookUp) {
    this.#lookUp = lookUp;
  }

  /** The test. */
  readonly test: HandleTest = (type, bytes, at) => {
    const first = this.#find(bytes.subarray(at, at + 32));
    const second = handleSize(type) === 64 ? this.#find(bytes.subarray(at + 32, at + 64)) : "maybe";
    if (first === undefined) return false;
    if (type.kind === "shared")
      return (bytes[at + 32] as number) <= 1 && (first === "maybe" || isShared(first));
    if (type.kind === "counter" && type.signed)
      return second !== undefined && (first === "maybe" || second === "maybe" || isPair(first, second));
    // The second id of other handles has no entity: it is where the field's would be.
    if (second !== undefined && second !== "maybe") return false;
    if (first === "maybe") return true;
    if (type.kind === "counter")
      return !first.name?.endsWith("_negative") && first.crdtType?.kind !== "PnCounter";
    if (type.kind === "user") return !isFrozen(first);
    return type.kind !== "frozen" || !isUser(first);
  };

  /** Looks up the ids that were tested since. */
  async load(): Promise<void> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const found = await this.#lookUp(wanted.map(([, id]) => id));
    for (const [at, [hex]] of wanted.entries()) this.#known.set(hex, found[at]);
  }

  #find(id: Uint8Array): LiveEntity | "maybe" | undefined {
    const hex = toHex(id);
    if (this.#known.has(hex)) return this.#known.get(hex);
    this.#wanted.set(hex, id);
    return "maybe";
  }
}

function isShared({ crdtType }: LiveEntity): boolean {
  return crdtType === null || crdtType.kind === "SharedStorage";
}

/** Whether two entities may be what a signed counter added and subtracted. */
function isPair(added: LiveEntity, subtracted: LiveEntity): boolean {
  if (added.crdtType?.kind === "GCounter") return false;
  if (added.name === null || subtracted.name === null) return added.name === subtracted.name;
  return (
    added.name.endsWith("_positive") && added.name.replace(/_positive$/, "_negative") === subtracted.name
  );
}

function isFrozen({ name, crdtType }: LiveEntity): boolean {
  if (name?.startsWith("__frozen_storage_")) return true;
  return crdtType !== null && "valueType" in crdtType && /\bFrozenValue</.test(crdtType.valueType);
}

function isUser({ name, crdtType }: LiveEntity): boolean {
  if (name?.startsWith("__user_storage_")) return true;
  return crdtType !== null && "keyType" in crdtType && /\b(AccountId|PublicKey)$/.test(crdtType.keyType);
}
