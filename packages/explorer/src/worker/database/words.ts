/** Sentences as they go to the page: texts, code and things, so that each is shown in its own way. */
import type { Delta, Named } from "merostore/node";
import type { StateChange } from "merostore/state";
import { cut } from "./text.js";

/** A word of a sentence. Foreign text is raw. */
export type Word = string | { readonly code: string } | Named;

/** The most characters of a value that are sent. */
const MOST_CHARACTERS = 160;
/** The most changes that a sentence names. */
const NAMED = 2;
/** The path of the state as a whole. */
const STATE = "$";

/** A delta: its changes of the application's data, or else the number of changed entities. */
export function deltaWords(delta: Delta, changes: readonly StateChange[] | undefined): readonly Word[] {
  if (delta.checkpoint) return ["a checkpoint: the state was taken over whole"];
  if (delta.actions === undefined) return ["its actions do not decode"];
  const added = new Set(delta.actions.flatMap(({ kind, entity }) => (kind === "Add" ? [entity] : [])));
  const all = (changes ?? []).flatMap((change) => {
    const words = changeWords(change, added);
    return words === undefined ? [] : [words];
  });
  // Fields without entries of their own are written with every delta, changed or not.
  const others = all.filter(
    ([, path]) => typeof path !== "object" || !("code" in path) || !path.code.startsWith('["@'),
  );
  const shown = distinct(others.length > 0 ? others : all);
  const isNothing = changes?.every(({ kind, isSecret, problem }) => kind === "none" && !isSecret && !problem);
  if (isNothing === true && delta.actions.length > 0) return ["changed nothing"];
  if (shown.length === 0) return actionWords(delta.actions);
  const named = shown.slice(0, NAMED).flatMap((words, at) => (at === 0 ? words : ["; ", ...words]));
  return shown.length > NAMED ? [...named, `; and ${shown.length - NAMED} more`] : named;
}

/** A change: `set items["alice"] = 3`; undefined if only the entity is known. */
export function changeWords(
  { kind, entity, path, value, at, problem, isSecret }: StateChange,
  added: ReadonlySet<string> = new Set(),
): readonly Word[] | undefined {
  if (isSecret) return ["changed private data"];
  if (path === undefined || kind === "none" || (path === STATE && problem === undefined)) return undefined;
  const place = { code: short(path) };
  if (problem !== undefined)
    return ["set ", place, `, whose value cannot be shown: ${short(problem.message)}`];
  if ((kind === "insert" || kind === "delete") && value !== undefined) {
    const verb = kind === "insert" ? "inserted " : "removed ";
    return [verb, { code: short(JSON.stringify(value)) }, at === undefined ? " in " : ` at ${at} in `, place];
  }
  if (kind === "delete") return ["removed ", place];
  if (kind === "create") return [added.has(entity) ? "created " : "changed ", place];
  return value === undefined
    ? ["set ", place]
    : ["set ", place, " = ", { code: short(JSON.stringify(value)) }];
}

/** `added 2, changed 3: items`. */
function actionWords(actions: NonNullable<Delta["actions"]>): readonly Word[] {
  const of = (kind: string): number => actions.filter((action) => action.kind === kind).length;
  const parts = (
    [
      ["added", of("Add")],
      ["changed", of("Update")],
      ["removed", of("DeleteRef")],
    ] as const
  ).flatMap(([verb, number]) => (number === 0 ? [] : [`${verb} ${number}`]));
  const fields = [...new Set(actions.flatMap(({ field }) => field ?? []))].slice(0, 4);
  const words: Word[] = [
    parts.length === 0 ? "changed nothing" : `${parts.join(", ")} of the state’s entities`,
  ];
  for (const [at, field] of fields.entries()) words.push(at === 0 ? ": " : ", ", { code: short(field) });
  return words;
}

/** Sentences, each once. */
function distinct(sentences: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  return [...new Map(sentences.map((words) => [JSON.stringify(words), words])).values()];
}

function short(text: string): string {
  return cut(text, MOST_CHARACTERS);
}
