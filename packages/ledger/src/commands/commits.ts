/** The commits that a user names. */
import { fromHex, MerostoreError, toHex } from "merostore/internal";
import type { Terminal } from "merostore/internal/commands";
import { COLUMN, type Commit, commitRow, FIRST_COMMIT_ID, type PageView } from "../index.js";
import { shownHead } from "./opening.js";

/** The text of the help about a commit. */
export const COMMIT_HELP = `A commit is its id, four or more first digits of it, "head" for the newest state, or "first" for the empty page.`;

/** Commits that an error lists at most. */
const LISTED = 10;

/**
 * The commit with this id, the only one whose id begins so, the head, or the first commit.
 * @throws MerostoreError INVALID_ARGUMENT, AMBIGUOUS_NAME, COMMIT_NOT_FOUND, NETWORK_ERROR
 */
export async function namedCommit(terminal: Terminal, view: PageView, name: string): Promise<Commit> {
  if (name === "head") return shownHead(terminal, view);
  if (name === "first") return view.commits.get(FIRST_COMMIT_ID);
  const start = name.replace(/(?:…|\.\.\.)$/, "").toLowerCase();
  if (!/^[0-9a-f]{4,64}$/.test(start))
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `a commit is "head", "first" or 4 to 64 hex digits, not ${JSON.stringify(name)}`,
    );
  // The first commit has no row.
  const found: Uint8Array[] = toHex(FIRST_COMMIT_ID).startsWith(start) ? [FIRST_COMMIT_ID] : [];
  const whole = fromHex(start.length % 2 === 0 ? start : start.slice(0, -1));
  const from = commitRow.key.encode({ commit: Uint8Array.from({ length: 32 }, (_, at) => whole[at] ?? 0) });
  const { lt: to } = commitRow.range();
  search: for await (const keys of view.engine.scan(COLUMN, { gte: from, lt: to }).keys().chunks())
    for (const key of keys) {
      const { commit } = commitRow.parts(key);
      if (toHex(commit).startsWith(start)) found.push(commit);
      if (found.length > LISTED || toHex(commit.subarray(0, whole.length)) > toHex(whole)) break search;
    }
  const [only] = found;
  if (only === undefined)
    throw new MerostoreError(
      "COMMIT_NOT_FOUND",
      `the page has no commit ${start} on this device: "log" lists those it has`,
    );
  if (found.length === 1) {
    const commit = await view.commits.get(only);
    if (!(await view.isOnlyInCloud(commit))) return commit;
    throw new MerostoreError(
      "NETWORK_ERROR",
      `the entries of the commit ${start} are only in the cloud: a program that opens the page with it can read them`,
    );
  }
  const ids = found.slice(0, LISTED).map(toHex).join(", ");
  throw new MerostoreError("AMBIGUOUS_NAME", `${start} can mean several commits: ${ids}`);
}
