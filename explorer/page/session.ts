/** What the page has open, and what a person has switched on. */
import { batch, computed, signal } from "@preact/signals";
import {
  closeDatabase,
  type DatabaseSource,
  type OpenedDatabase,
  openDatabase,
  refreshDatabase,
  type Side,
} from "./worker-client.js";

/** The open databases: `a` is looked at, `b` is compared with it. */
export const databases = signal<Readonly<Partial<Record<Side, OpenedDatabase>>>>({});

/** The database that is looked at. */
export const database = computed(() => databases.value.a);

/** Rises when rows were written or another database was opened: answers are then asked for again. */
export const moment = signal(0);

/** Rises when rows were written to the database that is looked at. */
export const written = signal(0);

/** Whether secrets are shown. Off again when another database is looked at. */
export const secretsRevealed = signal(false);

/** The source that is being opened; undefined when none is. */
export const opening = signal<DatabaseSource | undefined>(undefined);

/** Why the last database could not be opened. */
export const openFailure = signal<string | undefined>(undefined);

/** Opens a database. @throws AnswerError */
export async function open(side: Side, source: DatabaseSource): Promise<OpenedDatabase> {
  opening.value = source;
  try {
    const opened = await openDatabase(side, source);
    batch(() => {
      if (side === "a") secretsRevealed.value = false;
      databases.value = { ...databases.value, [side]: opened };
      moment.value++;
    });
    return opened;
  } finally {
    // Another one may be on its way by now.
    if (opening.peek() === source) opening.value = undefined;
  }
}

/** Shows what was written since. @throws AnswerError */
export async function refresh(side: Side): Promise<void> {
  await refreshDatabase(side);
  moment.value++;
  if (side === "a") written.value++;
}

/** Closes a database. */
export async function close(side: Side): Promise<void> {
  const { [side]: _closed, ...others } = databases.value;
  databases.value = others;
  if (side === "a") secretsRevealed.value = false;
  await closeDatabase(side);
}
