/** Sentences about the things of a node. */
import type { Named } from "merostore/node";
import { thingAddress } from "../page/addresses.js";
import type { Word } from "../worker/database/words.js";
import { Id, SHOWN_DIGITS } from "./id.js";
import { count, plainText, Text } from "./text.js";

const SMALL = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** A number as sentences have it: `three`, `1,011`. */
export function spoken(value: number): string {
  return SMALL[value] ?? count(value);
}

/** A number in words with its noun: `three accounts`. */
export function spokenCount(value: number, one: string, several = `${one}s`): string {
  return `${spoken(value)} ${value === 1 ? one : several}`;
}

/** The library's name for the node of the database; no other name can be the same. */
const THIS_NODE = "this node";

/** Returns whether a person is the node of the database that names them. */
export function isThisNode({ name }: Named): boolean {
  return name === THIS_NODE;
}

/** A sentence. It has no links inside an element that is a link as a whole. */
export function Words({ words, linked = false }: { words: readonly Word[]; linked?: boolean }) {
  return <>{words.map((word) => part(word, linked))}</>;
}

function part(word: Word, linked: boolean) {
  if (typeof word === "string") return <Text value={word} most={400} />;
  if ("code" in word) return <code>{<Text value={word.code} most={400} />}</code>;
  if (isThisNode(word))
    return (
      <b>
        <Name of={word} />
      </b>
    );
  if (linked && word.name !== undefined && (word.kind === "group" || word.kind === "namespace"))
    return (
      <a href={thingAddress(word.kind, word.id)}>
        <Name of={word} />
      </a>
    );
  if (linked) return <Id id={word.id} name={word.name} address={thingAddress(word.kind, word.id)} plain />;
  return <Name of={word} />;
}

/** A thing by its name, or by the first digits of its id. */
export function Name({ of: { id, name } }: { of: Named }) {
  if (name === undefined) return <code title={id}>{id.slice(0, SHOWN_DIGITS)}</code>;
  return (
    <span title={`${plainText(name, 120)} ${id}`}>
      <Text value={name} most={120} />
    </span>
  );
}

/** A sentence as plain text, for labels. */
export function wordsText(words: readonly Word[]): string {
  return words
    .map((word) => {
      if (typeof word === "string") return plainText(word, 400);
      if ("code" in word) return plainText(word.code, 400);
      return word.name === undefined ? word.id.slice(0, SHOWN_DIGITS) : plainText(word.name, 120);
    })
    .join("");
}
