/** Root hashes that a watcher of a node recorded. They prove states if deltas carry no hashes. */
import { invalidArgument } from "../../errors.js";
import { checkArgument, isText } from "../../options.js";

/** A root hash that a node had. */
export interface RecordedRoot {
  /** The context's id, 64 hex digits. */
  readonly context: string;
  /** The root hash, 64 hex digits. */
  readonly rootHash: string;
  /** The ids of the heads at that moment, 64 hex digits each. */
  readonly heads: readonly string[];
}

const ID = /^[0-9a-f]{64}$/;

/** The first letters of a line. */
const START = '{"time":';

/**
 * Reads lines that `watch --record` wrote. A cut line is ignored: a watcher may be killed while it writes.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for any other line
 */
export function parseRecord(text: string): readonly RecordedRoot[] {
  checkArgument("parseRecord", text, isText);
  return text.split("\n").flatMap((line, at) => {
    const root = parseLine(line);
    if (root !== undefined) return root;
    if (isCut(line)) return [];
    throw invalidArgument(`line ${at + 1} of the record is not one that watch --record writes`);
  });
}

function isCut(line: string): boolean {
  if (line.endsWith("}")) return false;
  return line.startsWith(START) || START.startsWith(line);
}

function parseLine(line: string): RecordedRoot | undefined {
  try {
    const { context, rootHash, heads } = JSON.parse(line) as Partial<RecordedRoot>;
    const isRight =
      ID.test(`${context}`) &&
      ID.test(`${rootHash}`) &&
      Array.isArray(heads) &&
      heads.every((id) => ID.test(`${id}`));
    return isRight ? { context: context as string, rootHash: rootHash as string, heads } : undefined;
  } catch {
    return undefined;
  }
}
