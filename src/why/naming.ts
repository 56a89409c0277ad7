/** Names in sentences about several nodes. They do not depend on the order of the nodes. */
import type { Named, Names, Operation } from "../node/index.js";
import { THIS_NODE } from "../node/names.js";
import { sentenceText } from "../node/sentences/sentence.js";
import type { WhySource } from "./side.js";

/** Digits of an id in a sentence. */
const DIGITS = 8;

/** Shortens an id for a sentence. */
export function shortId(id: string): string {
  return id.slice(0, DIGITS);
}

/** The names that nodes give to groups, members and other things. */
export class Naming {
  /** In the order of the nodes' names. */
  readonly #sides: readonly { readonly node: string; readonly names: Names }[];

  private constructor(sides: readonly { readonly node: string; readonly names: Names }[]) {
    this.#sides = sides;
  }

  /** Reads the names. */
  static async read(sources: readonly WhySource[]): Promise<Naming> {
    const sides = sources.map(async ({ name, node }) => ({ node: name, names: await node.names() }));
    const all = await Promise.all(sides);
    return new Naming(all.toSorted((a, b) => (a.node < b.node ? -1 : 1)));
  }

  /**
   * The name of a thing, equal in all sentences; the first digits of its id if no node names it. The account of a node
   * takes the name that the other nodes give it, or the name of the node.
   */
  of({ kind, id, name }: Pick<Named, "kind" | "id" | "name">): string {
    const given = [...this.#sides.map(({ names }) => names.as(kind, id).name), name];
    const found = given.find((one) => one !== undefined && one !== THIS_NODE);
    return found ?? this.#sides.find(({ names }) => names.isOwn(id))?.node ?? shortId(id);
  }

  /** The name of a group. */
  group(id: string): string {
    return this.of({ kind: "group", id, name: undefined });
  }

  /** The name of the author who signs with a public key. */
  author(publicKey: string): string {
    const ids = this.#sides.map(({ names }) => names.signer(publicKey).id);
    const id = ids.find((one) => one !== publicKey) ?? publicKey;
    return this.of({ kind: "member", id, name: undefined });
  }

  /** `operation 29 (c30b7f57): …` */
  operation({ id, sequence, sentence }: Operation): string {
    return `operation ${sequence} (${shortId(id)}): ${sentenceText(sentence, (thing) => this.of(thing))}`;
  }
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** A time in milliseconds since 1970, in UTC to the second. */
export function timeText(millis: number): string {
  const date = new Date(millis);
  if (Number.isNaN(date.getTime())) return `${millis} ms`;
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
