/** Paths of the application's data: `items.alice`, `items["a b"][0]`. */

import { fromHex, toHex } from "../bytes/hex.js";
import { quoted } from "../bytes/visible.js";
import { MerostoreError } from "../errors.js";
import { checkArgument, isText } from "../options.js";

/** The path of the state itself. */
export const ROOT_PATH = "$";

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** The path of a field. */
export function fieldPath(parent: string, name: string): string {
  if (!NAME.test(name)) return keyPath(parent === ROOT_PATH ? "" : parent, name);
  return parent === ROOT_PATH ? name : `${parent}.${name}`;
}

/** The path of an entry with a key. */
export function keyPath(parent: string, key: string): string {
  return `${parent}[${JSON.stringify(key)}]`;
}

/** The path of an element of a list. */
export function indexPath(parent: string, index: number): string {
  return `${parent}[${index}]`;
}

/** The path of an entry whose key or place is unknown. */
export function entityPath(parent: string, id: Uint8Array): string {
  return `${parent}[#${toHex(id)}]`;
}

/** A step of a path: a name or a key, the place of an element, or the id of an entry's entity. */
export type PathStep = string | number | Uint8Array;

/**
 * Parses a path into names, indexes and ids.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a text that is not a path
 */
export function parsePath(path: string): readonly PathStep[] {
  checkArgument("parsePath", path, isText);
  const steps: PathStep[] = [];
  let rest = path === ROOT_PATH ? "" : path;
  while (rest !== "") {
    const step =
      /^\[(\d{1,15}|#[0-9a-f]{64})\]/.exec(rest) ??
      /^\[("(?:[^"\\]|\\.)*")\]/.exec(rest) ??
      (steps.length === 0 ? /^()([^.[\]"]+)/.exec(rest) : /^(\.)([^.[\]"]+)/.exec(rest));
    if (step === null) throw invalid(path);
    const [whole, inner, name] = step;
    if (name !== undefined) steps.push(name);
    else if (inner?.startsWith('"')) steps.push(parseKey(inner, path));
    else if (inner?.startsWith("#")) steps.push(fromHex(inner.slice(1)));
    else steps.push(Number(inner));
    rest = rest.slice(whole.length);
  }
  return steps;
}

function parseKey(text: string, path: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw invalid(path);
  }
}

function invalid(path: string): MerostoreError {
  return new MerostoreError(
    "INVALID_ARGUMENT",
    `${quoted(path)} is not a path; one looks like items.alice or items["a b"][0]`,
  );
}
