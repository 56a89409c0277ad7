/** Commands as a person types them. */
import { visible } from "merostore";

/** A command of the words after `merostore`, quoted as shells need it. */
export function commandLine(words: readonly string[]): string {
  return ["merostore", ...words].map(shellWord).join(" ");
}

/** A word of a command. Hidden characters are escapes in quotes that have escapes. */
function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  const shown = visible(word);
  if (shown !== word) return `$'${shown.replaceAll("'", "\\'")}'`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
