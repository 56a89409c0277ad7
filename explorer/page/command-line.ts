/** Commands as a person types them. */
import { shellQuoted } from "merostore";

/** A command of the words after `merostore`, quoted for a shell. */
export function commandLine(words: readonly string[]): string {
  return ["merostore", ...words].map(shellQuoted).join(" ");
}
