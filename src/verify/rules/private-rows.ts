/**
 * The private state that a node keeps for a context, since core-1.0: blobs of private structs, which no hash covers.
 */
import { concat } from "../../bytes/concat.js";
import { ContextPrivateState } from "../../keys/index.js";
import { readStateRow } from "../../layouts/index.js";
import { RESTORE } from "../advice.js";
import { onEach, type Rule } from "../rule.js";
import { since10 } from "../since.js";
import { unreadable } from "../unreadable.js";

/** The first byte of the state key of a blob: the SHA-256 of the struct's name follows. */
const BLOB = 0xff;

export const privateRows: Rule = {
  name: "private-rows",
  relations: [1],
  severity: "error",
  says: "Every row of the private state is the blob of a struct, or belongs to an entity or a trie, as its key says.",
  means:
    "The node fails where it reads the row. The application cannot use what it keeps for this node alone.",
  advice: RESTORE,
  checks: [
    onEach(since10, ContextPrivateState, function* ({ key, value }, tools) {
      tools.checked();
      if (key.tag === BLOB) return;
      const row = readStateRow(concat(Uint8Array.of(key.tag), key.stateKey), value);
      // The reason names the place in the row, and none of its content.
      if (row.kind === "unreadable") yield { key, ...unreadable(row.reason, tools.writerOf(row)) };
    }),
  ],
};
