/** Types of the storage library that hold several collections, since core-1.0. Manifests have no names for them. */
import { formed, registerOf, type ValueForms, valueOfMap } from "./forms.js";
import type { CollectionType, FieldType, RecordType, Type } from "./type.js";

const TEXT: Type = { kind: "text" };
const U32: Type = { kind: "u32" };
const BOOL: Type = { kind: "bool" };
const ID: Type = { kind: "bytes", size: 32 };
/** Bytes to the end of the value: nothing describes them. */
const REST: Type = { kind: "rest" };

/** Bytes of the id of a block or of the first character of a run, of the id of a mark, and of the key of a verdict. */
const [BLOCK_ID, MARK_ID, VERDICT_KEY] = [12, 16, 101];

const record = (name: string, fields: readonly FieldType[]): RecordType => ({ kind: "record", name, fields });

function mapOf(keySize: number | undefined, value: Type, forms: ValueForms): CollectionType {
  const key: Type = keySize === undefined ? TEXT : { kind: "bytes", size: keySize };
  return formed({ kind: "map", sorted: false, authored: false, key, value: valueOfMap(value, forms) }, forms);
}

const runs = (forms: ValueForms): CollectionType => formed({ kind: "sequence", hasRuns: true }, forms);

/** A text with marks. The layout of the places where a mark begins and ends is not known. */
function richText(forms: ValueForms): RecordType {
  return record("RichText", [
    { name: "text", type: runs(forms) },
    { name: "marks", type: mapOf(MARK_ID, REST, forms) },
  ]);
}

/** Blocks of text in an order. A property of a block is in a row of its own. */
function richDocument(forms: ValueForms): RecordType {
  const property: Type = {
    kind: "variant",
    name: "Prop",
    variants: [
      { name: "Kind", payload: TEXT },
      { name: "Depth", payload: { kind: "u8" } },
      { name: "Place", payload: REST },
      { name: "Deleted", payload: BOOL },
    ],
  };
  const block = record("Block", [
    { name: "id", type: { kind: "bytes", size: BLOCK_ID } },
    { name: "props", type: mapOf(undefined, registerOf(property, forms), forms) },
    { name: "attrs", type: mapOf(undefined, registerOf({ kind: "option", of: TEXT }, forms), forms) },
    { name: "body", type: richText(forms) },
  ]);
  return record("RichDocument", [
    { name: "spine", type: runs(forms) },
    { name: "blocks", type: mapOf(BLOCK_ID, block, forms) },
  ]);
}

/** Names with one owner each: the claims, and the verdicts of an authority if there is one. */
function registries(value: Type, forms: ValueForms): readonly RecordType[] {
  const claim = record("Claim", [
    { name: "value", type: value },
    { name: "epoch", type: U32 },
    { name: "release", type: BOOL },
  ]);
  const verdict = record("Verdict", [
    { name: "epoch", type: U32 },
    { name: "owner", type: { kind: "option", of: ID } },
    { name: "claim", type: ID },
    { name: "order", type: ID },
    { name: "device", type: ID },
  ]);
  const map = { kind: "map", sorted: false, authored: true, key: undefined, value: claim } as const;
  const claims: FieldType = { name: "claims", type: formed({ ...map, named: "__registry_claims_" }, forms) };
  const sorted = { ...mapOf(VERDICT_KEY, verdict, forms), sorted: true } as CollectionType;
  const verdicts: FieldType = { name: "verdicts", type: formed({ kind: "shared", value: sorted }, forms) };
  return [record("Registry", [claims, verdicts]), record("Registry", [claims])];
}

/** The types of the storage library that a manifest describes as a map of values of this type, without saying more. */
export function compositesOf(value: Type, forms: ValueForms): readonly Type[] {
  const plain = value.kind === "loose" ? value.of : value;
  const name = plain.kind === "record" ? plain.name : undefined;
  const texts = name === "Span" ? [richText(forms)] : name === "BlockView" ? [richDocument(forms)] : [];
  return [...texts, ...registries(value, forms)];
}

/** A map whose entries have owners, and the shared value with the moderators who may delete them. */
export function moderated(map: CollectionType, forms: ValueForms): Type {
  const moderators = formed(
    { kind: "shared", value: registerOf(BOOL, forms), named: "__moderators_" },
    forms,
  );
  return record("Moderated", [
    { name: "entries", type: { ...map, named: "__moderated_" } },
    { name: "moderators", type: moderators },
  ]);
}
