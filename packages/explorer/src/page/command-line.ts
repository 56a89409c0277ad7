/** Commands as a person types them. */
import { shellQuoted } from "merostore/internal";
import { databases } from "./session.js";

/** The page never learns the path of the file with the key. */
const KEY_FILE = ["--key-file", "KEY_FILE"];

/** A command about the open databases, from the words after `merostore`, quoted for a shell. */
export function commandLine(words: readonly string[]): string {
  const isEncrypted = Object.values(databases.value).some((opened) => opened?.isEncrypted === true);
  return ["merostore", ...words, ...(isEncrypted ? KEY_FILE : [])].map(shellQuoted).join(" ");
}
