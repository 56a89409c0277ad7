/** Options that several commands about ledgers have. Each has the name under which the user types it. */

import { choice, flag, json, text } from "merostore/internal/commands";
import { engineNames } from "../index.js";

/** The engine of the repository. */
export const engine = choice(
  "<name>",
  engineNames,
  "what the databases are; found from the folder unless given",
);

/** The ledger. */
export const name = text("<name>", "the ledger; unless given, the only one of the repository");
/** The key is given as hex. */
export const hex = flag("KEY is in hex digits");

/** Keys are shown as hex. */
export const keysInHex = flag("keys in hex");
/** The page as it was. */
export const at = text("<commit>", "the page as it was at this commit; the newest state unless given");

/** Options of commands about a repository. */
export const ofRepository = { engine, json };
/** The page. */
export const page = text(
  "<id>",
  "the page, 32 hex digits or four or more first ones; the root page unless given",
);
/** Options of commands about one page. */
export const ofPage = { name, page, ...ofRepository };
