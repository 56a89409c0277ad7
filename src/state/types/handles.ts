/** Tells whether bytes are the handle of a collection: its entity must exist, and its row must fit. */
import { toHex } from "../../bytes/hex.js";
import type { AnyCrdtType } from "../index-row.js";
import { fitsTag, type HandleEntity, handleAt } from "./handle-form.js";
import type { HandleTest } from "./readings.js";
import { type CollectionType, handleParts } from "./type.js";

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
    const handle = handleAt(type, bytes, at);
    if (handle === undefined) return false;
    const tags = handle.entities.flatMap(({ tag }) => tag ?? []);
    if (!tags.every((tag) => fitsTag(type, tag))) return false;
    const [first, second] = handle.entities.map((entity) => this.#entity(entity));
    if (first === undefined || (handle.entities.length > 1 && second === undefined)) return false;
    // The handle ends with an id that must have no entity: the id of the field's place.
    if (handleParts(type).includes("place")) {
      const place = this.#find(bytes.subarray(handle.end - 32, handle.end));
      if (place !== undefined && place !== "maybe") return false;
    }
    if (first === "maybe" || second === "maybe") return true;
    if (first === "empty" || second === "empty") return type.named === undefined;
    if (!fitsName(type, first.name)) return false;
    if (type.kind === "shared") return isShared(first);
    if (second !== undefined) return isPair(first, second);
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

  /** An entity of a handle; undefined if it does not exist, but `empty` if an empty collection need not have one. */
  #entity({ id, tag }: HandleEntity): LiveEntity | "maybe" | "empty" | undefined {
    return this.#find(id) ?? (tag === undefined ? undefined : "empty");
  }

  #find(id: Uint8Array): LiveEntity | "maybe" | undefined {
    const hex = toHex(id);
    if (this.#known.has(hex)) return this.#known.get(hex);
    this.#wanted.set(hex, id);
    return "maybe";
  }
}

/** Returns true if a collection may have a stored name: wrappers have prefixes of their own. */
function fitsName(type: CollectionType, name: string | null): boolean {
  if (type.named !== undefined) return name?.includes(type.named) ?? false;
  const owner = /^__(user_storage|frozen_storage|authored|write_once|moderated)_/.exec(name ?? "")?.[1];
  switch (owner) {
    case undefined:
      return true;
    case "user_storage":
      return type.kind === "user";
    case "frozen_storage":
      return type.kind === "frozen";
    case "moderated":
      return false;
    default:
      return (type.kind === "map" || type.kind === "vector") && type.authored;
  }
}

function isShared({ crdtType }: LiveEntity): boolean {
  return crdtType === null || crdtType.kind === "SharedStorage";
}

/** Returns true if two entities may be the added and the subtracted part of a signed counter. */
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
