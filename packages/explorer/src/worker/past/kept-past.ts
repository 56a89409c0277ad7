/** The past of a context's data, from one replay of its deltas, which is cached. */
import { fromHex, type Progress } from "merostore";
import { type ContextReplay, EntryLives, readReplay } from "merostore/state";
import { atMostEvery } from "../database/at-most-every.js";
import { coloursOf } from "../database/colours.js";
import type { Database } from "../database/database.js";
import { Kept } from "../database/kept.js";
import { namedPeople } from "../database/people.js";
import type { Person } from "../history/history.js";
import { type OpenState, openState } from "../state/source.js";

/** The past of a context. */
export interface Past {
  readonly id: string;
  readonly reader: Database["store"];
  readonly replay: ContextReplay;
  readonly lives: EntryLives;
  readonly open: OpenState;
  readonly personOf: (key: string | undefined) => Omit<Person, "rows">;
  /** The last lists of entries. */
  readonly lists: Kept;
  /** Runs moves of the replay one after another. */
  moves: Promise<unknown>;
}

/** Milliseconds between two reports. */
const EVERY = 200;

/**
 * The past of a context. Only one is cached, because a large one takes hundreds of megabytes.
 *
 * @param goesOn gets the number of deltas that were replayed; the work ends when it answers false
 */
export async function pastOf(
  database: Database,
  id: string,
  revealed: boolean,
  goesOn: (deltas: number) => Promise<boolean> = async () => true,
): Promise<Past> {
  try {
    return await keptPast(database, id, revealed, goesOn);
  } catch (error) {
    // The caller that began the work has left; this caller may still want the result.
    if (!(error instanceof ViewLeft) || !(await goesOn(0))) throw error;
    return keptPast(database, id, revealed, goesOn);
  }
}

class ViewLeft extends Error {
  override readonly message = "The view was left.";
}

function keptPast(
  database: Database,
  id: string,
  revealed: boolean,
  goesOn: (deltas: number) => Promise<boolean>,
): Promise<Past> {
  return database
    .kept("past", () => new Kept(1))
    .get(`${id} ${revealed}`, async () => {
      const over = new AbortController();
      let deltas = 0;
      const tell = async (): Promise<void> => {
        if (!(await goesOn(deltas))) over.abort(new ViewLeft());
      };
      await tell();
      const report = atMostEvery(EVERY, () => void tell());
      const onProgress = ({ done }: Progress): void => {
        deltas = done;
        report();
      };
      const open = await openState(database, id, revealed);
      const replay = await readReplay(database.store, fromHex(id), open.options);
      const lives = await EntryLives.of(replay, open.state, { onProgress, signal: over.signal });
      const personOf = await personsOf(database, id, lives);
      return {
        id,
        reader: database.store,
        replay,
        lives,
        open,
        personOf,
        lists: new Kept(4),
        moves: Promise.resolve(),
      };
    });
}

/** The authors of deltas by their keys, as all views name and colour them. */
async function personsOf(database: Database, id: string, lives: EntryLives): Promise<Past["personOf"]> {
  const names = await database.node.names();
  const colourOf = await coloursOf(database);
  const keys = new Set<string>();
  for (let position = 1; position <= lives.length; position++) {
    const { author } = lives.deltaAt(position);
    if (author !== undefined) keys.add(author);
  }
  const all = [...keys];
  const named = await namedPeople(
    database,
    all.map((key) => names.authorIn(id, key)),
  );
  const people = new Map(all.map((key, at) => [key, { person: named[at], colour: colourOf(named[at]) }]));
  const nobody = { person: undefined, colour: colourOf(undefined) };
  return (key) => people.get(key ?? "") ?? nobody;
}
