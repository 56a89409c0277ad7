/** The names of people that no row names any more. */
import type { Named } from "merostore/node";
import type { Database } from "./database.js";

/** The most operations of logs that are read for names. */
const MOST_READ = 10_000;

/** Gives people without a name the name in the logs of namespaces: no row names a member who left. */
export async function namedPeople<P extends Named | undefined>(
  database: Database,
  people: readonly P[],
): Promise<readonly P[]> {
  if (people.every((person) => person === undefined || person.name !== undefined)) return people;
  const names = await database.kept("names in logs", () => namesInLogs(database));
  return people.map((person) =>
    person === undefined || person.name !== undefined ? person : { ...person, name: names.get(person.id) },
  );
}

async function namesInLogs({ node }: Database): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let left = MOST_READ;
  for (const { group } of await node.namespaces()) {
    if (left <= 0) break;
    for await (const { actor, sentence } of node.history(group.id, { limit: left })) {
      left--;
      for (const word of [actor, ...sentence]) {
        if (typeof word !== "object" || !("kind" in word) || word.name === undefined) continue;
        if (word.kind === "member" && !names.has(word.id)) names.set(word.id, word.name);
      }
    }
  }
  return names;
}
