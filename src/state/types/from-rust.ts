/** The types that Rust's names stand for. The storage library's defaults are left out of names: `Counter` is unsigned. */
import { formed, PLAIN_FORMS, registerOf, type ValueForms, valueOfMap } from "./forms.js";
import { lastPart, parseRustName, type RustName } from "./rust-name.js";
import type { CollectionType, ScalarName, Type } from "./type.js";

/** Returns the type of the application with this name; undefined if nothing describes it. */
export type OwnTypes = (name: string) => Type | undefined;

/** The facts on which the types of an application depend, apart from their Rust names. */
interface Context {
  readonly own: OwnTypes;
  readonly forms: ValueForms;
}

/** The type of a Rust name. A name that cannot be parsed, or that nothing describes, is `unknown`. */
export function typeOfRustName(text: string, own: OwnTypes, forms = PLAIN_FORMS): Type {
  const name = parseRustName(text);
  return name === undefined || itemsIn(name) > MOST_ITEMS ? unknown(text) : typeOf(name, { own, forms });
}

const unknown = (name: string): Type => ({ kind: "unknown", name });

const text: Type = { kind: "text" };
const bytes: Type = { kind: "bytes", size: undefined };
const id: Type = { kind: "bytes", size: 32 };

const SCALARS: ReadonlyMap<string, ScalarName> = new Map([
  ...(["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"] as const).map(
    (name) => [name, name] as const,
  ),
  ["usize", "u64"],
  ["isize", "i64"],
  ["bool", "bool"],
  ["f32", "f32"],
  ["f64", "f64"],
  ["String", "text"],
  ["str", "text"],
] as const);

/** Types of 32 bytes of the node's own libraries. */
const IDS = new Set([
  "PublicKey",
  "AccountId",
  "DeviceId",
  "ContextId",
  "BlobId",
  "ApplicationId",
  "Hash",
  "Id",
]);

/** Wrappers that add no bytes. */
const TRANSPARENT = new Set(["Box", "Rc", "Arc", "Cow", "FrozenValue"]);
const LISTS = new Set(["Vec", "VecDeque", "LinkedList", "BTreeSet", "HashSet", "BinaryHeap"]);

function typeOf(name: RustName, own: Context): Type {
  switch (name.kind) {
    case "tuple":
      return name.elements.length === 0
        ? { kind: "unit" }
        : { kind: "tuple", elements: name.elements.map((element) => typeOf(element, own)) };
    case "array":
      return arrayOf(name.item, name.length, own);
    case "slice":
      return listOf(name.item, own);
    default:
      return typeOfPath(name, own);
  }
}

/** The most items of the arrays in a name. The lengths of nested arrays are multiplied. */
const MOST_ITEMS = 16_384;
/** The longest array that is read item by item. */
const LONGEST_ARRAY = 4096;

/** The items of the arrays in a name. Arrays of bytes are one. */
function itemsIn(name: RustName): number {
  const sum = (names: readonly RustName[]): number => names.reduce((total, one) => total + itemsIn(one), 0);
  switch (name.kind) {
    case "array":
      return lastPart(name.item) === "u8" ? 1 : name.length * Math.max(1, itemsIn(name.item));
    case "slice":
      return itemsIn(name.item);
    case "tuple":
      return sum(name.elements);
    default:
      return sum(name.args);
  }
}

function arrayOf(item: RustName, length: number, own: Context): Type {
  if (lastPart(item) === "u8") return { kind: "bytes", size: length };
  if (length > LONGEST_ARRAY) return unknown(`array of ${length}`);
  const type = typeOf(item, own);
  return { kind: "tuple", elements: new Array<Type>(length).fill(type) };
}

function listOf(item: RustName, own: Context): Type {
  return lastPart(item) === "u8" ? bytes : { kind: "list", item: typeOf(item, own) };
}

function typeOfPath(name: RustName & { readonly kind: "path" }, own: Context): Type {
  const last = lastPart(name);
  const [first, second] = name.args;
  // Types of libraries have longer paths. In hints, people write the bare name.
  const isOfLibrary =
    name.path.length === 1 ||
    /^(alloc|core|std|calimero_\w+|hashbrown|indexmap)$/.test(name.path[0] as string);
  const mine = own.own(last);
  if (!isOfLibrary || (mine !== undefined && name.path.length === 1))
    return mine ?? unknown(name.path.join("::"));
  const scalar = SCALARS.get(last);
  if (scalar !== undefined) return last.endsWith("size") ? { kind: scalar, isSize: true } : { kind: scalar };
  if (IDS.has(last)) return id;
  if (first !== undefined) {
    if (TRANSPARENT.has(last)) return typeOf(first, own);
    if (last === "Option") return { kind: "option", of: typeOf(first, own) };
    if (LISTS.has(last)) return listOf(first, own);
    if (last === "LwwRegister") return registerOf(typeOf(first, own), own.forms);
  }
  if ((last === "BTreeMap" || last === "HashMap") && first !== undefined && second !== undefined)
    return { kind: "pairs", key: typeOf(first, own), value: typeOf(second, own) };
  const collection = collectionOf(last, name.args, own);
  return (collection && formed(collection, own.forms)) ?? mine ?? unknown(name.path.join("::"));
}

function collectionOf(last: string, args: readonly RustName[], own: Context): CollectionType | undefined {
  const [first, second] = args;
  switch (last) {
    case "UnorderedMap":
    case "SortedMap":
    case "AuthoredMap":
    case "AuthoredSortedMap":
    case "IndexedMap":
      if (first === undefined || second === undefined) return undefined;
      return {
        kind: "map",
        sorted: last.endsWith("SortedMap"),
        authored: last.startsWith("Authored"),
        key: typeOf(first, own),
        value: valueOfMap(typeOf(second, own), own.forms),
      };
    case "UnorderedSet":
    case "SortedSet":
      return first && { kind: "set", sorted: last === "SortedSet", item: typeOf(first, own) };
    case "Vector":
    case "AuthoredVector":
      return first && { kind: "vector", authored: last === "AuthoredVector", item: typeOf(first, own) };
    case "GCounter":
      return { kind: "counter", signed: false };
    case "PNCounter":
      return { kind: "counter", signed: true };
    case "Counter":
      return { kind: "counter", signed: first !== undefined && lastPart(first) === "true" };
    case "ReplicatedGrowableArray":
      return { kind: "sequence", hasRuns: false };
    case "FugueText":
      return { kind: "sequence", hasRuns: true };
    case "UserStorage":
      return first && { kind: "user", value: valueOfMap(typeOf(first, own), own.forms) };
    case "FrozenStorage":
      return first && { kind: "frozen", value: typeOf(first, own) };
    case "SharedStorage":
    case "Ownable":
    case "PermissionedStorage":
    case "WriterSetCell":
    case "TeeOnly":
    case "Frozen":
      return first && { kind: "shared", value: typeOf(first, own) };
    case "AccessControl":
      return accessControl(own.forms);
    default:
      return undefined;
  }
}

/** Roles: who has which, in a map of flags under `role`, a zero byte and the member's id in hexadecimal. */
export function accessControl(forms: ValueForms): CollectionType {
  const value = valueOfMap(registerOf({ kind: "bool" }, forms), forms);
  return {
    kind: "shared",
    value: formed({ kind: "map", sorted: false, authored: false, key: text, value }, forms),
  };
}
