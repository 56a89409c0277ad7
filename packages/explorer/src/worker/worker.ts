/** The worker: all reading and computing runs here, and the page's own thread only draws. */
import { expose } from "comlink";
import { isMerostoreError } from "merostore";
import { type SqlRows, type SqlTable, servedRows, servedTables } from "../client/index.js";
import { type FleetMember, fleet } from "./compare/fleet.js";
import type { Fleet } from "./compare/fleet-answers.js";
import { type Track, tracks } from "./compare/tracks.js";
import { Database, type OpenedDatabase } from "./database/database.js";
import { type DatabaseSource, SERVER, type ServedSource, servedSources } from "./database/sources.js";
import { borrowKey, keyFromDigits, lendKey } from "./database/typed-keys.js";
import { questions, questionsOfBoth } from "./questions.js";

/** The shown database, and the database that is compared with it. */
export type Side = "a" | "b";

/** The questions by name. */
export type Questions = typeof questions;
/** The name of a question. */
export type QuestionName = keyof Questions;
/** The parameters of a question beside the database. */
export type Wanted<Q extends QuestionName> = Questions[Q] extends (
  database: Database,
  ...wanted: infer W
) => unknown
  ? W
  : never;
/** The answer to a question. */
export type Answer<Q extends QuestionName> = Awaited<ReturnType<Questions[Q]>>;

/** The questions of two databases by name. */
export type QuestionsOfBoth = typeof questionsOfBoth;
/** The name of a question of two databases. */
export type QuestionOfBoth = keyof QuestionsOfBoth;
/** The parameters of a question about two databases. */
export type WantedOfBoth<Q extends QuestionOfBoth> = QuestionsOfBoth[Q] extends (
  a: Database,
  b: Database,
  ...wanted: infer W
) => unknown
  ? W
  : never;
/** The answer to a question about two databases. */
export type AnswerOfBoth<Q extends QuestionOfBoth> = Awaited<ReturnType<QuestionsOfBoth[Q]>>;

type Question<Q extends QuestionName> = (database: Database, ...wanted: Wanted<Q>) => Promise<Answer<Q>>;

type AskedOfBoth<Q extends QuestionOfBoth> = (
  a: Database,
  b: Database,
  ...wanted: WantedOfBoth<Q>
) => Promise<AnswerOfBoth<Q>>;

/** The reason why a question has no answer. */
export interface Failure {
  /** The error code of the library; undefined for a fault of the explorer's own. */
  readonly code: string | undefined;
  /** The sentence. */
  readonly message: string;
}

/** An answer, or the reason why it failed: errors lose their codes between threads. */
export type Outcome<T> = { readonly answer: T } | { readonly failure: Failure };

const databases = new Map<Side, Database>();

/** The master keys that were typed for the open databases. */
const keys = new Map<Side, Uint8Array>();

/** The last opening of each side. The next opening waits for it, so that the page gets their results in order. */
const openings = new Map<Side, Promise<OpenedDatabase>>();

const explorerWorker = {
  /** The databases that `merostore explore` serves with the page. */
  served(token: string): Promise<Outcome<readonly ServedSource[]>> {
    return outcome(() => servedSources(token));
  },

  /** The tables of the databases that are served with the page. */
  sqlTables(token: string): Promise<Outcome<readonly SqlTable[]>> {
    return outcome(() => servedTables(SERVER, token));
  },

  /** Runs a statement over one of the served databases, or over all. */
  sql(token: string, statement: string, database: number | undefined): Promise<Outcome<SqlRows>> {
    return outcome(() => servedRows(SERVER, token, statement, database));
  },

  /**
   * Opens a database in the place of the one that the side had.
   *
   * @param key the master key: hex digits that a person typed, or a port on which another worker lends it
   * @param isStrict whether reads of damaged bytes fail
   */
  open(
    side: Side,
    source: DatabaseSource,
    key?: Uint8Array | MessagePort,
    isStrict = false,
  ): Promise<Outcome<OpenedDatabase>> {
    return outcome(async () => {
      const before = openings.get(side);
      const typed = key instanceof Uint8Array ? keyFromDigits(key) : key && (await borrowKey(key));
      const opening = (async () => {
        await before?.catch(() => undefined);
        try {
          return await replace(side, await Database.open(source, typed, isStrict), typed);
        } catch (error) {
          typed?.fill(0);
          throw error;
        }
      })();
      openings.set(side, opening);
      return opening;
    });
  },

  /** Lends the key that was typed for a side to another worker, which opens the database too. */
  lend(side: Side, port: MessagePort): void {
    lendKey(keys.get(side), port);
  },

  /** Shows the rows that were written since. */
  refresh(side: Side): Promise<Outcome<void>> {
    return outcome(() => databaseOf(side).refresh());
  },

  /** Exchanges the databases of both sides. */
  swap(): Promise<Outcome<void>> {
    return outcome(async () => {
      await Promise.allSettled(openings.values());
      swapSides(databases);
      swapSides(keys);
      swapSides(openings);
    });
  },

  /** Closes the database of a side. */
  close(side: Side): Promise<Outcome<void>> {
    return outcome(async () => {
      const database = databases.get(side);
      databases.delete(side);
      forgetKey(side);
      await database?.close();
    });
  },

  /** Answers a question. */
  ask<Q extends QuestionName>(side: Side, name: Q, ...wanted: Wanted<Q>): Promise<Outcome<Answer<Q>>> {
    // The name of a question decides its parameters; types cannot express that for the table of questions.
    const question = questions[name] as unknown as Question<Q>;
    return outcome<Answer<Q>>(() => question(databaseOf(side), ...wanted));
  },

  /**
   * Puts databases side by side. They are opened for this only, each with its given name.
   *
   * @param onReport gets the facts as they are found
   */
  fleet(members: readonly Membership[], onReport: (fleet: Fleet) => void): Promise<Outcome<Fleet>> {
    return outcome(() => withOpened(members, (opened) => fleet(opened, onReport)));
  },

  /**
   * The history of a context in several databases, which are opened for this only. The first one is the shown database.
   */
  tracks(members: readonly Membership[], context: string): Promise<Outcome<readonly Track[]>> {
    return outcome(() => withOpened(members, (opened) => tracks(opened, context)));
  },

  /** Answers a question of both databases. */
  askBoth<Q extends QuestionOfBoth>(name: Q, ...wanted: WantedOfBoth<Q>): Promise<Outcome<AnswerOfBoth<Q>>> {
    const question = questionsOfBoth[name] as unknown as AskedOfBoth<Q>;
    return outcome<AnswerOfBoth<Q>>(() => question(databaseOf("a"), databaseOf("b"), ...wanted));
  },
};

/** A database that is put beside others. */
export interface Membership {
  readonly name: string;
  readonly location: string;
  readonly source: DatabaseSource;
  /** The port on which another worker lends the key that was typed for it. */
  readonly key?: MessagePort | undefined;
}

/** Opens databases for one piece of work. */
async function withOpened<T>(
  members: readonly Membership[],
  work: (opened: readonly FleetMember[]) => Promise<T>,
): Promise<T> {
  const opened: FleetMember[] = [];
  try {
    for (const member of members) opened.push(await openMember(member));
    return await work(opened);
  } finally {
    for (const member of opened) if ("database" in member) await member.database.close();
  }
}

/** Opens a database. A failure does not stop the reading of the others. */
async function openMember({ name, location, source, key }: Membership): Promise<FleetMember> {
  const result = await outcome(async () => Database.open(source, key && (await borrowKey(key))));
  if ("answer" in result) return { name, location, database: result.answer };
  return { name, location, failure: result.failure.message };
}

/** The functions that the page calls. */
export type ExplorerWorker = typeof explorerWorker;

function databaseOf(side: Side): Database {
  const database = databases.get(side);
  if (database === undefined) throw new Error("no database is open");
  return database;
}

async function replace(side: Side, database: Database, key: Uint8Array | undefined): Promise<OpenedDatabase> {
  const before = databases.get(side);
  forgetKey(side);
  if (key !== undefined) keys.set(side, key);
  databases.set(side, database);
  await before?.close();
  return database.opened;
}

function swapSides<T>(of: Map<Side, T>): void {
  const [a, b] = [of.get("a"), of.get("b")];
  of.clear();
  if (a !== undefined) of.set("b", a);
  if (b !== undefined) of.set("a", b);
}

function forgetKey(side: Side): void {
  keys.get(side)?.fill(0);
  keys.delete(side);
}

async function outcome<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (isMerostoreError(error)) return { failure: { code: error.code, message: error.message } };
    const message = error instanceof Error ? error.message : String(error);
    return { failure: { code: undefined, message } };
  }
}

expose(explorerWorker);
