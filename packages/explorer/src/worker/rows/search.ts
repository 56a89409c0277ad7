/** Searches for every row with an id, a name or a text. */
import { isMerostoreError, type Progress } from "merostore";
import { Pause } from "merostore/internal";
import { type FoundPlace, type Hit, type Named, placesIn } from "merostore/node";
import { atMostEvery } from "../database/at-most-every.js";
import type { Database } from "../database/database.js";
import { type Cell, type ShownRow, shownRows } from "./cells.js";
import { unknownKind } from "./choice.js";

/** A meaning of a text: a thing, or an id without a known name. */
export type Match = Omit<Named, "kind"> & { readonly kind: Named["kind"] | "id" };

/** A row that was found. */
export interface FoundRow {
  /** The key in hex. */
  readonly key: string;
  /** The parts of the key, by name. */
  readonly parts: readonly (readonly [name: string, cell: Cell])[];
  readonly in: "key" | "value" | "key and value";
  /** The places of the find in the row; empty if it is in bytes that do not decode, or in a secret. */
  readonly places: readonly FoundPlace[];
}

/** The rows of a kind that were found. */
export interface FoundKind {
  /** The name of the kind, in addresses. */
  readonly kind: string;
  /** Undefined for rows of no known kind. */
  readonly known: string | undefined;
  readonly column: string;
  readonly count: number;
  /** The first rows. */
  readonly rows: readonly FoundRow[];
}

/** The results so far. */
export interface Found {
  /** The thing that the text means, if it means exactly one. */
  readonly match: Match | undefined;
  /** The things that the text may mean, if there are several; of very many, only the first ones. */
  readonly candidates: readonly Match[];
  /** Rare kinds first. */
  readonly kinds: readonly FoundKind[];
  readonly count: number;
  /** The number of rows that were read. */
  readonly read: number;
  readonly isDone: boolean;
}

/** The most candidates that are sent to the page. */
const MOST_CANDIDATES = 20;
/** The most rows of a kind that are sent to the page. */
const SHOWN = 20;
/** Milliseconds between two reports. */
const EVERY = 150;

interface Gathered {
  readonly known: string | undefined;
  readonly column: string;
  count: number;
  readonly rows: FoundRow[];
}

/**
 * Searches all rows.
 *
 * @param onFound gets the results so far; the search ends when it answers false
 */
export async function search(
  database: Database,
  text: string,
  revealSecrets: boolean,
  onFound: (found: Found) => Promise<boolean>,
): Promise<Found> {
  const { node, store } = database;
  const searched = await node.searchedFor(text);
  const meant = await meaningOf(database, text, searched.ids);
  const kinds = new Map<string, Gathered>();
  const pause = new Pause();
  let count = 0;
  let read = 0;
  const over = new AbortController();
  const soFar = (isDone: boolean): Found => ({
    ...meant,
    kinds: [...kinds].map(([kind, gathered]) => ({ kind, ...gathered })).sort((a, b) => a.count - b.count),
    ...{ count, read, isDone },
  });
  const tell = async (): Promise<void> => {
    if (!(await onFound(soFar(false)))) over.abort();
  };
  const report = atMostEvery(EVERY, () => void tell());
  await tell();
  const onProgress = ({ done }: Progress): void => {
    read = done;
    report();
  };
  const add = async (hit: Hit): Promise<void> => {
    count++;
    const known = store.schema.identify(hit.column, hit.row.key);
    const kind = known?.kind ?? unknownKind(hit.column);
    const gathered = kinds.get(kind) ?? { known: known?.kind, column: hit.column, count: 0, rows: [] };
    kinds.set(kind, gathered);
    gathered.count++;
    if (gathered.rows.length < SHOWN) {
      const [row] = await shownRows(database, hit.column, [hit.row], revealSecrets);
      const { form, cells } = row as ShownRow;
      const parts = Object.keys(form.parts ?? { key: "" });
      gathered.rows.push({
        key: form.key,
        parts: parts.flatMap((name) => {
          const cell = cells[name];
          return cell === undefined ? [] : [[name, cell] as const];
        }),
        in: hit.in,
        places: placesIn(form, searched),
      });
    }
  };
  try {
    for await (const hit of node.find(text, { onProgress, signal: over.signal })) {
      await add(hit);
      await pause.ifLong();
    }
  } catch (error) {
    if (error !== over.signal.reason) throw error;
  }
  return soFar(!over.signal.aborted);
}

/** @param ids the ids that the text may mean */
async function meaningOf(
  { node }: Database,
  text: string,
  ids: readonly string[],
): Promise<Pick<Found, "match" | "candidates">> {
  try {
    const { kind, id, name } = await node.resolve(text);
    return { match: { kind, id, name }, candidates: [] };
  } catch (error) {
    if (isMerostoreError(error, "UNKNOWN_NAME")) return { match: undefined, candidates: [] };
    if (!isMerostoreError(error, "AMBIGUOUS_NAME")) throw error;
  }
  const names = await node.names();
  const candidates = ids.slice(0, MOST_CANDIDATES).map((id): Match => {
    const { kind, name } = names.of(id) ?? { kind: "id", name: undefined };
    return { kind, id, name };
  });
  return { match: undefined, candidates };
}
