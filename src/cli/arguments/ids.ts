/** Reads typed ids: whole ones in hex or base58, or the name or the first digits of a thing in a database. */
import { fromHex } from "../../bytes/hex.js";
import { parseId } from "../../bytes/id.js";
import { oneOf } from "../../bytes/quantity.js";
import { EncodeError, type Json } from "../../codec/index.js";
import { invalidArgument, isMerostoreError, MerostoreError } from "../../errors.js";
import { Alias, AliasKind, type AnyKey, type AnyKeyClass } from "../../keys/index.js";
import { CalimeroNode, NothingCalledSo, type ThingKind } from "../../node/index.js";
import type { Store } from "../../store/index.js";

/** The kinds of things that an argument for a group accepts. */
export const GROUPS: readonly ThingKind[] = ["namespace", "group"];

/** The kinds of things that an argument for a member accepts. */
export const MEMBERS: readonly ThingKind[] = ["member", "key", "device"];

/** Parts of keys → the kinds of things whose ids they contain. */
const KINDS: Readonly<Record<string, readonly ThingKind[]>> = {
  contextId: ["context"],
  groupId: GROUPS,
  namespaceId: GROUPS,
  parentGroupId: GROUPS,
  childGroupId: GROUPS,
  scope: ["context", ...GROUPS],
  applicationId: ["application"],
  blobId: ["blob"],
  deltaId: ["delta", "operation"],
  deviceId: ["device"],
  device: ["device"],
  account: ["member"],
  accountId: ["member"],
  member: ["member", "key"],
  identity: ["member", "key"],
  publicKey: ["member", "key"],
  departed: ["member"],
  author: ["member", "key"],
  signer: ["member", "key"],
  keyId: ["group key"],
  stateKey: ["state entry"],
  producingAppKey: ["blob"],
};

/**
 * The id that a text means. A whole id is not looked up.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` without a database; `UNKNOWN_NAME`, with the names in all databases;
 *   `AMBIGUOUS_NAME`
 */
export async function idIn(
  text: string,
  kinds: readonly ThingKind[],
  stores: readonly Store[],
): Promise<Uint8Array> {
  let failure: unknown;
  try {
    return parseId(text);
  } catch (error) {
    failure = error;
  }
  for (const store of stores) {
    try {
      return fromHex((await new CalimeroNode(store).resolve(text, kinds)).id);
    } catch (error) {
      if (!(error instanceof NothingCalledSo)) throw error;
      failure = failure instanceof NothingCalledSo ? failure.and(error) : error;
    }
  }
  throw failure;
}

/** `part=value` words with the whole ids of names and first digits. Other words stay as they are. */
export async function withWholeIds(
  store: Store,
  keyClass: AnyKeyClass,
  words: readonly string[],
): Promise<readonly string[]> {
  const whole: string[] = [];
  for (const word of words) {
    const split = word.indexOf("=");
    const part = keyClass.PARTS.find(({ name }) => name === word.slice(0, Math.max(0, split)));
    const kinds = part?.type === "b32" ? KINDS[part.name] : undefined;
    const typed = word.slice(split + 1);
    // Zeros, which mean no id, are printed short.
    const text = part?.names?.includes("none") && /^"?0{4,63}(?:…|\.\.\.)?"?$/.test(typed) ? "none" : typed;
    if (part === undefined || kinds === undefined || part.parse(text) !== undefined)
      whole.push(text === typed ? word : `${word.slice(0, split)}=${text}`);
    else
      whole.push(
        `${part.name}=${(await named(part.name, () => new CalimeroNode(store).resolve(text, kinds))).id}`,
      );
  }
  return whole;
}

/** The names of things that a part of a key can name; only names that need no quotes in a shell. */
export async function namesOfPart(store: Store, part: string): Promise<readonly string[]> {
  const kinds = KINDS[part];
  return kinds === undefined ? [] : namesOfKinds(store, kinds);
}

/** Runs a lookup. Its error names the typed word. */
export async function named<Found>(word: string, find: () => Promise<Found>): Promise<Found> {
  try {
    return await find();
  } catch (cause) {
    if (!isMerostoreError(cause)) throw cause;
    throw new MerostoreError(cause.code, `${word}: ${cause.message}`, { cause });
  }
}

/** Names without special meaning in any shell: foreign names go on the command line unquoted. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}._@+-]*$/u;

/** The names of all things of some kinds, each once; only names that need no quotes in a shell. */
export async function namesOfKinds(store: Store, kinds: readonly ThingKind[]): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const { kind, name } of (await new CalimeroNode(store).names()).entries())
    if (kinds.includes(kind) && PLAIN.test(name)) names.add(name);
  return [...names].toSorted();
}

/** The most names in an error. */
const LISTED = 10;

/** The first names of the things of some kinds, quoted; undefined if none has one. */
export async function nameList(node: CalimeroNode, kinds: readonly ThingKind[]): Promise<string | undefined> {
  const names = new Set<string>();
  for (const { kind, name } of (await node.names()).entries())
    if (kinds.includes(kind)) names.add(JSON.stringify(name.slice(0, 80)));
  const more = names.size > LISTED ? ` and ${names.size - LISTED} more` : "";
  return names.size === 0 ? undefined : `${[...names].slice(0, LISTED).join(", ")}${more}`;
}

/**
 * Returns the name that was typed for a group or context.
 *
 * @throws MerostoreError `INVALID_ARGUMENT`, with the names that there are, if none was typed
 */
export async function typedName(
  node: CalimeroNode,
  typed: string | undefined,
  kinds: readonly ThingKind[],
): Promise<string> {
  if (typed !== undefined) return typed;
  throw invalidArgument(`name a ${[oneOf(kinds), await nameList(node, kinds)].filter(Boolean).join(": ")}`);
}

/** The kinds of things that an alias can name. The alias's key contains the kind. */
export function kindsOfAlias(key: AnyKey): readonly ThingKind[] | undefined {
  if (!(key instanceof Alias)) return undefined;
  switch (key.aliasKind) {
    case AliasKind.Context:
      return ["context"];
    case AliasKind.Identity:
      return ["member", "key"];
    case AliasKind.Application:
      return ["application"];
    default:
      return undefined;
  }
}

/** The most ids that a value may give by name. */
const MOST_NAMED = 100;
/** Fields with 32 bytes that are not an id. */
const NO_ID = /private|secret|senderKey|groupKey|signature|nonce|hash/i;

/**
 * Replaces names and first digits of ids in a JSON value by whole ids, wherever `check` refuses a text because it
 * expects 32 bytes.
 *
 * @param check throws an EncodeError that names the field
 * @param kinds only things of these kinds
 */
export async function withIds(
  store: Store,
  json: Json,
  check: (json: Json) => unknown,
  kinds?: readonly ThingKind[],
): Promise<Json> {
  let value = json;
  const node = new CalimeroNode(store);
  for (let named = 0; ; named++) {
    try {
      check(value);
      return value;
    } catch (error) {
      if (!(error instanceof EncodeError) || !error.expected.startsWith("32 bytes") || named === MOST_NAMED)
        throw error;
      const { path } = error;
      const text = at(value, path);
      if (typeof text !== "string" || NO_ID.test(path)) throw error;
      // The message does not repeat the text: it may be a secret in the wrong place.
      const found = await node.resolve(text, kinds).catch((cause: unknown) => {
        const why = isMerostoreError(cause, "AMBIGUOUS_NAME")
          ? "the text there can mean several things"
          : `${kinds === undefined ? "nothing" : `no ${oneOf(kinds)}`} has the text there as its name or the beginning of its id`;
        throw new MerostoreError("ENCODE_FAILED", `${error.message}; ${why}`, { cause });
      });
      value = replaced(value, stepsOf(path), found.id);
    }
  }
}

/** `links[3].id` → `links`, `3`, `id`. */
function stepsOf(path: string): readonly string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== "");
}

function at(json: Json, path: string): Json | undefined {
  let value: Json | undefined = json;
  for (const step of stepsOf(path)) value = (value as { readonly [name: string]: Json } | undefined)?.[step];
  return value;
}

function replaced(json: Json, [step, ...rest]: readonly string[], id: string): Json {
  if (step === undefined) return id;
  if (Array.isArray(json))
    return (json as readonly Json[]).map((one, index) =>
      String(index) === step ? replaced(one, rest, id) : one,
    );
  const fields = json as { readonly [name: string]: Json };
  return { ...fields, [step]: replaced(fields[step] as Json, rest, id) };
}
