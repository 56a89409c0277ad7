/** Sentences about operations: texts with the things they are about, so that each output can show a thing in its own way. */
import { checkArgument, isFunction, isList } from "../../options.js";
import type { Named } from "../names.js";

/** A sentence: texts and things, in order. */
export type Sentence = readonly (string | Named)[];

/** The names that a sentence may use. Ids are given as bytes, as operations have them. */
export interface Speaker {
  /** The member that signed the operation. */
  readonly actor: Named;
  /** The group of the operation; for an operation on a namespace, the namespace. */
  readonly group: Named;
  /** True if members are accounts, as since core-0.11. */
  readonly accounts: boolean;
  groupOf(id: Uint8Array): Named;
  contextOf(id: Uint8Array): Named;
  memberOf(id: Uint8Array): Named;
  /** The member that signs with a public key. */
  signerOf(publicKey: Uint8Array): Named;
  /** An application. `code` is the blob of its code then. */
  applicationOf(id: Uint8Array, code?: Uint8Array): Named;
  deviceOf(id: Uint8Array): Named;
  /** The member who owns a device; the device itself if its owner is unknown. */
  ownerOf(device: Uint8Array): Named;
  blobOf(id: Uint8Array): Named;
}

/** Makes a sentence: ``say`${actor} left ${group}` ``. */
export function say(
  texts: TemplateStringsArray,
  ...words: readonly (string | number | Named | Sentence)[]
): Sentence {
  const sentence: (string | Named)[] = [texts[0] as string];
  for (const [at, word] of words.entries()) {
    if (Array.isArray(word)) for (const part of word as Sentence) sentence.push(part);
    else sentence.push(typeof word === "number" ? String(word) : (word as string | Named));
    sentence.push(texts[at + 1] as string);
  }
  return sentence.filter((part) => part !== "");
}

/** The text of a sentence. `label` shows a thing: its name, its id or both. */
export function sentenceText(sentence: Sentence, label: (thing: Named) => string): string {
  checkArgument("sentenceText", sentence, isList);
  checkArgument("sentenceText", label, isFunction);
  return sentence.map((part) => (typeof part === "string" ? part : label(part))).join("");
}

/** The things that a sentence names, each once. */
export function thingsIn(sentence: Sentence): readonly Named[] {
  checkArgument("thingsIn", sentence, isList);
  const things = new Map<string, Named>();
  for (const part of sentence) if (typeof part !== "string") things.set(part.kind + part.id, part);
  return [...things.values()];
}

/** A foreign text in quotes, at most 64 characters of it. */
export function quote(text: string): string {
  const characters = [...text];
  return characters.length <= 64 ? `"${text}"` : `"${characters.slice(0, 63).join("")}…"`;
}

/** `1 subgroup`, `3 contexts`. */
export function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
