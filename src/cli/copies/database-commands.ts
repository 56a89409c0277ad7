/** The commands that make a new database from an existing one, in the order of the help. */
import type { CommandGroup } from "../arguments/command.js";
import { convert } from "./convert.js";
import { copy } from "./copy.js";
import { decrypt, encrypt, rekey } from "./rewrite.js";

/** `merostore db COMMAND`. */
export const db: CommandGroup = {
  name: "db",
  description: "create a new database from an existing one: copy, convert, encrypt, decrypt, change the key",
  commands: [copy, convert, encrypt, decrypt, rekey],
  help: `Examples:
  merostore db copy node/data copied/data                           # row by row, from any engine to any other
  merostore db encrypt node/data new/data --key-file node.key       # encrypted at rest
  merostore db help convert                                         # more examples, for each command

The existing database stays as it is. "merostore backup" copies a database by its files, beside a running node.`,
};
