/** The commands about blobs, in the order of the help. */
import { type CommandGroup, writingSentence } from "../arguments/command.js";
import { check } from "./check.js";
import { collect } from "./collect.js";
import { deleteCommand } from "./delete.js";
import { get } from "./get.js";
import { list } from "./list.js";
import { put } from "./put.js";
import { show } from "./show.js";

const commands = [list, show, get, put, deleteCommand, check, collect];

/** `merostore blobs COMMAND`. */
export const blobs: CommandGroup = {
  name: "blobs",
  description: "read, add, delete and check blobs: the files that a node keeps beside its database",
  commands,
  help: `Examples:
  merostore blobs list node/data              # names, sizes, missing files
  merostore blobs check node/data             # compare rows and files
  merostore blobs put node/data photo.jpg     # add a blob as the node does
  merostore blobs collect node/data --dry-run # list what nothing refers to
  merostore blobs help get                    # more examples, for each command

The files are in the folder "blobs" beside the database, or where the node's config.toml says. Instead of the database,
name the node's home: the folder with config.toml.
${writingSentence(commands)} Stop the node before you write.
Status: 0 done; 1 negative result (not found, different, errors found); 2 usage error;
3 the database cannot be opened or read.`,
};
