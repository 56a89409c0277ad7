/** Uploads the commits of a page that are not in a shared folder, and their pieces, as one pack. */
import { equalBytes, illegalState, MerostoreError, toHex } from "merostore/internal";
import type { ObjectIdentifier } from "../../objects.js";
import { isFirst } from "../../storage/commit.js";
import { decodeCommit } from "../../tables/commit-table.js";
import type { CommitBytes } from "../cloud.js";
import { type FolderPage, idsIn, PackWriter } from "./known-packs.js";
import type { PackedPiece } from "./pack-format.js";
import type { Repairs } from "./repairs.js";

/** The result of an upload. */
export interface Uploaded {
  /** False if there was nothing to upload. */
  readonly isAnything: boolean;
  /** The number of unsent commits of a device that may only read. Merges do not count: others make the same ones. */
  readonly unsent: number;
}

interface LocalPiece extends PackedPiece {
  readonly identifier: ObjectIdentifier;
}

/** Uploads all commits and pieces, if this device may write. */
export async function upload(parts: FolderPage, repairs: Repairs): Promise<Uploaded> {
  const { page, mayWrite, isClosed } = parts;
  // Read before the pieces: commits that are made meanwhile may lack uploaded pieces.
  const made = await page.unsyncedCommits();
  if (!mayWrite()) {
    const unsent = made.filter(({ bytes }) => decodeCommit(bytes).parents.length < 2).length;
    return { isAnything: false, unsent };
  }
  await checkParents(parts, repairs, made);
  let isAnything = false;
  const writer = new PackWriter<LocalPiece>(parts, async (commits, pieces) => {
    isAnything = true;
    await page.markSynced({
      commits: commits.map(({ id }) => id),
      pieces: pieces.map(({ identifier }) => identifier),
    });
  });
  for await (const identifier of page.unsyncedPieces()) {
    if (isClosed()) return { isAnything, unsent: 0 };
    const content = await page.piece(identifier);
    await writer.addPiece({ identifier, hash: identifier.digest.subarray(1), content });
  }
  for (const commit of made) await writer.addCommit(commit);
  if (!isClosed()) await writer.end();
  return { isAnything, unsent: 0 };
}

/**
 * Other devices can add a commit only after its parents, so each parent must be in the folder or be uploaded too. The
 * commits of a pack that cannot be used are written again if the page has them.
 */
async function checkParents(
  parts: FolderPage,
  repairs: Repairs,
  made: readonly CommitBytes[],
): Promise<void> {
  const own = new Set(made.map(({ id }) => toHex(id)));
  const wanted = new Map<string, { readonly parent: Uint8Array; readonly child: Uint8Array }>();
  for (const { id, bytes } of made)
    for (const parent of decodeCommit(bytes).parents)
      if (!isFirst(parent) && !own.has(toHex(parent))) wanted.set(toHex(parent), { parent, child: id });
  if (wanted.size === 0) return;
  const names = await parts.packs.names();
  for (const { parent, child } of wanted.values()) await checkParent(parts, repairs, names, parent, child);
}

async function checkParent(
  parts: FolderPage,
  repairs: Repairs,
  names: readonly string[],
  parent: Uint8Array,
  child: Uint8Array,
): Promise<void> {
  const { packs, known, folder } = parts;
  const isParent = (id: Uint8Array): boolean => equalBytes(id, parent);
  const unusable: string[] = [];
  for (const name of names) {
    if (!(await known.ids(name)).some(isParent)) continue;
    const state = await packs.state(name);
    if (state === "whole") return;
    if (state === "unusable") unusable.push(name);
  }
  for (const name of unusable) if (await repairs.replace(name)) return;
  // Packs may have been joined since the download, or while the folder was listed.
  for (const name of await packs.names())
    if ((await idsIn(parts, name)).some(isParent) && (await packs.state(name)) === "whole") return;
  const what = `the commit ${toHex(child)} cannot be uploaded`;
  if (unusable.length > 0)
    throw new MerostoreError(
      "NETWORK_ERROR",
      `${what} yet: ${folder.name} does not have its whole parent ${toHex(parent)}`,
    );
  throw illegalState(
    `${what}: ${folder.name} does not have its parent ${toHex(parent)}, which is not to be uploaded from here. ` +
      'A page that goes to a folder must keep its history from its first commit on (history: "keep", or the cloud), and stay with that folder',
  );
}
