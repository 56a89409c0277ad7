/** The open databases, and the switches that a person has set. */
import { batch, computed, signal } from "@preact/signals";
import { messageOf } from "./message-of.js";
import {
  AnswerError,
  closeDatabase,
  type DatabaseSource,
  type OpenedDatabase,
  openDatabase,
  refreshDatabase,
  type Side,
  swapDatabases,
} from "./worker-client.js";

/** The open databases: `a` is shown, `b` is compared with it. */
export const databases = signal<Readonly<Partial<Record<Side, OpenedDatabase>>>>({});

/** The sources of all databases that were served with the page or opened in it, in their order. */
export const nodes = signal<readonly DatabaseSource[]>([]);

/** Adds sources to {@link nodes}, and keeps the present ones. */
export function addNodes(sources: readonly DatabaseSource[]): void {
  const added = sources.filter((source) => !nodes.peek().includes(source));
  if (added.length > 0) nodes.value = [...nodes.peek(), ...added];
}

/** The shown database. */
export const database = computed(() => databases.value.a);

/** Rises when rows were written or another database was opened: answers are then requested again. */
export const moment = signal(0);

/** Rises when the views can show rows that were written to the shown database. */
export const refreshed = signal(0);

/** The number of rows that are known to have been written to databases while these were shown. */
export const written = signal(0);

/** True if secrets are shown. Reset when another database is shown. */
export const secretsRevealed = signal(false);

/** The source that is being opened, if any. */
export const opening = signal<DatabaseSource | undefined>(undefined);

/** The reason why the last database could not be opened. */
export const openFailure = signal<string | undefined>(undefined);

/** The question for the master key of a database that is being opened. */
export interface KeyQuestion {
  readonly source: DatabaseSource;
  /** The reason why the last answer was refused; undefined before the first answer. */
  readonly refusal: string | undefined;
  /** Takes the hex digits, which are moved to the worker; undefined to give up. */
  readonly answer: (digits: Uint8Array | undefined) => void;
}

/** The question, while it is asked. */
export const keyQuestion = signal<KeyQuestion | undefined>(undefined);

/** The question whether to open a database without write-ahead logs that are missing. */
export interface LossQuestion {
  /** The sentence that names the logs. */
  readonly loss: string;
  /** Takes true if their rows may be lost. */
  readonly answer: (isAccepted: boolean) => void;
}

/** The question, while it is asked. */
export const lossQuestion = signal<LossQuestion | undefined>(undefined);

/**
 * Opens a database. Asks for its master key if it is encrypted, and asks before it is opened without missing logs.
 *
 * @throws AnswerError
 */
async function openAsking(side: Side, source: DatabaseSource): Promise<OpenedDatabase> {
  try {
    return await openWithKey(side, source);
  } catch (error) {
    if (!(error instanceof AnswerError && error.code === "LOG_MISSING")) throw error;
    const isAccepted = await new Promise<boolean>((answer) => {
      lossQuestion.value = { loss: error.message, answer };
    });
    lossQuestion.value = undefined;
    if (!isAccepted) throw error;
    return openWithKey(side, { ...source, acceptLogLoss: true });
  }
}

async function openWithKey(side: Side, source: DatabaseSource): Promise<OpenedDatabase> {
  let refusal: string | undefined;
  let digits: Uint8Array | undefined;
  for (;;) {
    try {
      return await openDatabase(side, source, digits);
    } catch (error) {
      const code = error instanceof AnswerError ? error.code : undefined;
      if (!(code === "DATABASE_ENCRYPTED" || code === "WRONG_KEY" || (digits && code === "INVALID_ARGUMENT")))
        throw error;
      if (code !== "DATABASE_ENCRYPTED") refusal = messageOf(error);
      digits = await new Promise<Uint8Array | undefined>((answer) => {
        keyQuestion.value = { source, refusal, answer };
      });
      keyQuestion.value = undefined;
      if (digits === undefined) throw error;
    }
  }
}

/** Opens a database. @throws AnswerError */
export async function open(side: Side, source: DatabaseSource): Promise<OpenedDatabase> {
  opening.value = source;
  try {
    const opened = await openAsking(side, source);
    batch(() => {
      if (side === "a") secretsRevealed.value = false;
      databases.value = { ...databases.value, [side]: opened };
      addNodes([source]);
      moment.value++;
    });
    return opened;
  } finally {
    // Another database may be opening by now.
    if (opening.peek() === source) opening.value = undefined;
  }
}

/** Shows the rows that were written since. @throws AnswerError */
export async function refresh(side: Side): Promise<void> {
  await refreshDatabase(side);
  moment.value++;
  if (side === "a") refreshed.value++;
}

/** Exchanges the databases: shows the compared one, and compares the other with it. @throws AnswerError */
export async function swap(): Promise<void> {
  await swapDatabases();
  batch(() => {
    const { a, b } = databases.value;
    secretsRevealed.value = false;
    databases.value = { ...(b && { a: b }), ...(a && { b: a }) };
    moment.value++;
  });
}

/** Closes a database. */
export async function close(side: Side): Promise<void> {
  const { [side]: _closed, ...others } = databases.value;
  databases.value = others;
  if (side === "a") secretsRevealed.value = false;
  await closeDatabase(side);
}
