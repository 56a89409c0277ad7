/** The progress of pieces. */
import { compareBytes } from "merostore/internal";
import { isInline, type ObjectDigest, type ObjectIdentifier } from "../../objects.js";
import {
  objectRow,
  PIECE_STATUSES,
  type PieceStatus,
  statusRange,
  statusRows,
} from "../../rows/page-rows.js";
import { KeyIndexes } from "../../storage/piece-store.js";
import { type CheckedPage, Cursor } from "../checked-page.js";
import { type PageRule, type Problem, problem, RESTORE } from "../finding.js";
import { identifiersOf } from "./edges.js";

interface Status {
  readonly status: PieceStatus;
  readonly identifier: ObjectIdentifier;
}

export const statuses: PageRule = {
  name: "statuses",
  severity: "error",
  says: "Every stored piece has one status, and behind every status is a piece.",
  means:
    "The page does not know whether a piece is used or in the cloud. It may upload it again, or lose it.",
  advice: RESTORE,
  async *check(page) {
    const stored = new Cursor(page.digests());
    const cursors = PIECE_STATUSES.map((status) => new Cursor(ofStatus(page, status)));
    for (const cursor of [stored, ...cursors]) await cursor.move();
    for (;;) {
      const digest = least([stored.item, ...cursors.map(({ item }) => item?.identifier.digest)]);
      if (digest === undefined) return;
      page.count(1);
      const found: Status[] = [];
      for (const cursor of cursors)
        for (
          ;
          cursor.item !== undefined && isSame(cursor.item.identifier.digest, digest);
          await cursor.move()
        )
          found.push(cursor.item);
      const isStored = stored.item !== undefined && isSame(stored.item, digest);
      if (isStored) await stored.move();
      yield* isStored ? ofPiece(digest, found) : ofNone(found);
    }
  },
};

function* ofPiece(digest: ObjectDigest, found: readonly Status[]): Generator<Problem, void, undefined> {
  if (found.length === 0) yield problem("error", objectRow, { digest }, "the piece has no status");
  const [first, ...others] = found;
  for (const { status, identifier } of others) {
    const isDouble = first?.identifier.keyIndex === identifier.keyIndex;
    const message = isDouble
      ? "the piece has another status besides"
      : "the piece has a status under another number of an encryption key besides";
    yield problem(isDouble ? "error" : "warning", statusRows[status], { identifier }, message);
  }
}

function* ofNone(found: readonly Status[]): Generator<Problem, void, undefined> {
  for (const { status, identifier } of found) {
    // Pieces in the cloud can be fetched again.
    const severity = status === "synced" ? "warning" : "error";
    yield problem(severity, statusRows[status], { identifier }, "the piece is not there");
  }
}

export const namedStatuses: PageRule = {
  name: "named-statuses",
  severity: "error",
  says: "A piece has its status under the identifier by which others name it, and no local one names a transient one.",
  means:
    "The page looks for a piece under a number under which it has no status. It may upload it again, or lose it.",
  advice: RESTORE,
  async *check(page) {
    const numbers = new KeyIndexes();
    for await (const batch of page.parentPieces()) {
      const named = batch.flatMap((piece) =>
        identifiersOf(piece).map((identifier) => ({ piece, identifier })),
      );
      const found = await page.pieces.statuses(named.map(({ identifier }) => identifier));
      page.count(named.length);
      for (const [at, { piece, identifier }] of named.entries()) {
        const status = found[at];
        numbers.add(identifier.keyIndex);
        if (status === undefined) yield* misnamed(page, identifier);
        else if (status === "transient" && (await page.pieces.hasStatus(piece.digest, "local")))
          yield problem(
            "error",
            statusRows.transient,
            { identifier },
            "a local piece names it, so it should be local too",
          );
      }
    }
    for await (const batch of page.commits()) {
      const roots = batch.map(({ root }) => root).filter(({ digest }) => !isInline(digest));
      const found = await page.pieces.statuses(roots);
      page.count(roots.length);
      for (const [at, identifier] of roots.entries()) {
        numbers.add(identifier.keyIndex);
        if (found[at] === undefined) yield* misnamed(page, identifier);
        else if (found[at] === "transient")
          yield problem(
            "error",
            statusRows.transient,
            { identifier },
            "it is the root of a commit, so it should be local",
          );
      }
    }
    numbers.complete();
    if (numbers.all !== undefined && numbers.all.length > 0) yield* strangeNumbers(page, numbers);
  },
};

/** Reports statuses under a number of an encryption key that nothing in the page names. */
async function* strangeNumbers(
  page: CheckedPage,
  numbers: KeyIndexes,
): AsyncGenerator<Problem, void, undefined> {
  for (const status of PIECE_STATUSES)
    for await (const batch of ofStatus(page, status))
      for (const { identifier } of batch)
        if (!numbers.has(identifier.keyIndex)) {
          const message = `nothing in the page names a piece with the encryption key ${identifier.keyIndex}`;
          yield problem("warning", statusRows[status], { identifier }, message);
        }
}

/** Reports the statuses of a piece under other key numbers than the one that names it. */
async function* misnamed(
  page: CheckedPage,
  { keyIndex, digest }: ObjectIdentifier,
): AsyncGenerator<Problem, void, undefined> {
  for (const status of PIECE_STATUSES)
    for await (const rows of page.rowsOf(statusRows[status], {
      keysOnly: true,
      range: statusRange(status, digest),
    }))
      for (const { parts } of rows) {
        const message = `others name the piece with the encryption key ${keyIndex}, and it has no status under that`;
        yield problem("error", statusRows[status], parts, message);
      }
}

async function* ofStatus(
  page: CheckedPage,
  status: PieceStatus,
): AsyncGenerator<readonly Status[], void, undefined> {
  for await (const rows of page.rowsOf(statusRows[status], { keysOnly: true }))
    yield rows.map(({ parts: { identifier } }) => ({ status, identifier }));
}

function least(found: readonly (ObjectDigest | undefined)[]): ObjectDigest | undefined {
  return found.reduce(
    (a, b) => (a === undefined || (b !== undefined && compareBytes(b, a) < 0) ? b : a),
    undefined,
  );
}

function isSame(a: ObjectDigest, b: ObjectDigest): boolean {
  return compareBytes(a, b) === 0;
}
