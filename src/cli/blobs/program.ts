/** The commands about blobs, in the order of the help. */
import type { CommandGroup } from "../command.js";
import { check } from "./check.js";
import { collect } from "./collect.js";
import { deleteCommand } from "./delete.js";
import { get } from "./get.js";
import { list } from "./list.js";
import { put } from "./put.js";
import { show } from "./show.js";

/** `merostore blobs COMMAND`. */
export const blobs: CommandGroup = {
  name: "blobs",
  description: "read, add, delete and check blobs: the files that a node keeps beside its database",
  commands: [list, show, get, put, deleteCommand, check, collect],
  help: `Examples:
  merostore blobs list node/data              # names, sizes, what is missing
  merostore blobs check node/data             # whether rows and files agree
  merostore blobs put node/data photo.jpg     # add a blob as the node does
  merostore blobs collect node/data --dry-run # what nothing refers to
  merostore blobs help get                    # more examples, for each command

The files are in the folder "blobs" beside the database, or where the node's config.toml says. Instead of the database,
name the node's home: the folder with config.toml.
Commands only read, except put, delete, collect and check --repair. Stop the node before these.
Status: 0 done; 1 the answer is no; 2 wrong use; 3 the database cannot be opened or read.`,
};
