/** The document about the fields and rows that verification cannot see. */
import { unnoticedLines } from "./deletions/unnoticed.js";
import { unseenLines } from "./values/unseen.js";

/** Returns the text of docs/reference/what-verify-cannot-see.md. */
export function unseenDocument(): string {
  return [
    "# What `verify` cannot see",
    "",
    "A rule can compare a row with another one, or with itself. The first table lists the fields whose value nothing",
    "confirms, the second one the rows that nothing proves to exist.",
    "",
    ...unseenLines(),
    ...unnoticedLines(),
  ].join("\n");
}
