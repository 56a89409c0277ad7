/** Evidence for the revision of a database, by family of rows. */
import { FIRST_KEY, successor } from "../bytes/order.js";
import { UndecryptedBytes } from "../bytes/undecrypted.js";
import type { EngineReader } from "../engine/engine.js";
import { isMerostoreError } from "../errors.js";
import { Pause } from "../pause.js";
import { decodes } from "./accepted.js";
import { otherLayoutOf } from "./other-layouts.js";
import type { AnyRow, Schema } from "./schema.js";

/** The evidence of one family of rows. A family is a column family, or one prefix of Group. */
export interface Evidence {
  /** Name of the column family. */
  readonly column: string;
  /** The first byte of the keys, in Group. */
  readonly prefix: number | undefined;
  /** Rows examined. */
  readonly sampled: number;
  /** Rows that a revision can read, by name of the revision. */
  readonly readable: Readonly<Record<string, number>>;
  /** The revisions that read the most rows. */
  readonly shows: readonly string[];
  /** Rows whose key belongs to a revision, but whose value no revision can read. */
  readonly unreadable: number;
  /** Rows whose key belongs to no kind in any revision. */
  readonly unknown: number;
  /** The unreadable rows in a layout that versions between the revisions wrote, by name of the layout. */
  readonly otherLayouts: Readonly<Record<string, number>>;
  /** Rows whose value looks encrypted at rest: a small number, then at least 28 bytes. */
  readonly maybeEncrypted: number;
  /** Rows whose value no given master key decrypts. */
  readonly undecrypted: number;
}

/** Bytes that encryption at rest adds: version 1, nonce 12, tag 16. */
const ENCRYPTION_OVERHEAD = 29;

/** Examines up to `limit` rows of every family of any revision; all rows without a limit. */
export async function gatherEvidence(
  reader: EngineReader,
  revisions: readonly Schema<AnyRow>[],
  limit: number | undefined,
): Promise<readonly Evidence[]> {
  const present = familiesOf(revisions).filter(({ column }) => reader.columns.includes(column));
  const samples = await Promise.all(
    present.map((family) =>
      sample(reader, revisions, family, limit).catch((error: unknown) => {
        // A damaged family is skipped; the others may suffice.
        if (isMerostoreError(error, "DATABASE_DAMAGED")) return undefined;
        throw error;
      }),
    ),
  );
  return samples.filter((found) => found !== undefined).filter(({ sampled }) => sampled > 0);
}

/** `Meta`, `Group 0x21`. */
export function familyName({ column, prefix }: KeyFamily): string {
  return prefix === undefined ? column : `${column} 0x${prefix.toString(16)}`;
}

/** Rows whose keys begin alike. */
export interface KeyFamily {
  /** Name of the column family. */
  readonly column: string;
  /** The first byte of the keys, in Group. */
  readonly prefix: number | undefined;
}

function familiesOf(revisions: readonly Schema<AnyRow>[]): readonly KeyFamily[] {
  const found = new Map<string, KeyFamily>();
  for (const { rows } of revisions) {
    for (const { column, key } of rows) {
      const family = { column, prefix: key.PREFIX };
      found.set(familyName(family), family);
    }
  }
  return [...found.values()];
}

async function sample(
  reader: EngineReader,
  revisions: readonly Schema<AnyRow>[],
  { column, prefix }: KeyFamily,
  limit: number | undefined,
): Promise<Evidence> {
  const readable: Record<string, number> = {};
  const otherLayouts: Record<string, number> = {};
  let sampled = 0;
  let unreadable = 0;
  let unknown = 0;
  let maybeEncrypted = 0;
  let undecrypted = 0;
  const start = prefix === undefined ? FIRST_KEY : Uint8Array.of(prefix);
  const pause = new Pause();
  for await (const chunk of reader.scan(column, { gte: start, lt: successor(start) }, { limit }).chunks()) {
    for (const { key, value } of chunk) {
      if (pause.isLong) await pause.ifLong();
      sampled++;
      if (value instanceof UndecryptedBytes) undecrypted++;
      const version = value[0] ?? 0;
      if (value.length >= ENCRYPTION_OVERHEAD && version >= 1 && version <= 16) maybeEncrypted++;
      const rows = revisions.map((revision) => revision.identify(column, key));
      let readers = 0;
      for (const [index, row] of rows.entries()) {
        if (row === undefined || !decodes(row, key, value)) continue;
        const { name } = revisions[index] as Schema<AnyRow>;
        readable[name] = (readable[name] ?? 0) + 1;
        readers++;
      }
      if (readers > 0) continue;
      const other = otherLayoutOf(column, key, value)?.name;
      if (other !== undefined) otherLayouts[other] = (otherLayouts[other] ?? 0) + 1;
      if (other !== undefined || rows.some((row) => row !== undefined)) unreadable++;
      else unknown++;
    }
  }
  const most = Math.max(0, ...Object.values(readable));
  const shows = Object.keys(readable).filter((name) => readable[name] === most);
  return {
    ...{ column, prefix, sampled, readable, shows, unreadable, unknown },
    ...{ otherLayouts, maybeEncrypted, undecrypted },
  };
}
