import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { MerostoreError, type OpenedFile, openRegular } from "merostore/internal";
import { command, dryRun, flag, parseHex, type Terminal, text } from "merostore/internal/commands";
import type { EntryValue } from "../index.js";
import { change } from "./change.js";
import { parseKey } from "./opening.js";
import { hex, ofPage } from "./options.js";
import { readable } from "./text.js";

/** Puts a value at a key: one commit. */
export const put = command({
  words: "put <dir> <key> [value]",
  description: "put a value at a key: a commit of its own",
  writes: true,
  options: {
    file: text("<file>", "the content of this file is the value"),
    valueHex: text("<hex>", "the value in hex digits"),
    lazy: flag("other devices need not have the value"),
    create: flag("make the repository or the page if it is missing"),
    dryRun,
    hex,
    ...ofPage,
  },
  help: `Examples:
  merostore ledger put data name Alice
  merostore ledger put data photo --file photo.jpg --lazy
  tar c notes | merostore ledger put data notes.tar -
  merostore ledger put new-data name Alice --name contacts --create

VALUE - reads the value from stdin; stdin and files are streamed. --file takes regular files only. A page with several
heads is merged first: the last one wins. The history of a page that was never online is pruned as always. A new
repository is made with LevelDB. --dry-run shows what is there now, and writes nothing.`,

  async run(terminal, given, options) {
    const key = parseKey(given.key, options.hex);
    // With --dry-run no file is opened, and nothing is read.
    const value = options.dryRun ? "" : entryValue(terminal, given.value, options.file, options.valueHex);
    const priority = options.lazy ? "lazy" : "eager";
    return change(terminal, given.dir, options, options.create, key, async (page) => {
      await page.put(key, value, { priority });
      return `put ${readable(key)}`;
    });
  },
});

/** The value to put. Exactly one of the three must be given. */
function entryValue(
  terminal: Terminal,
  given: string | undefined,
  file: string | undefined,
  valueHex: string | undefined,
): EntryValue {
  const sources = [given, file, valueHex].filter((source) => source !== undefined);
  if (sources.length !== 1)
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "give the value once: as VALUE (- reads stdin), as --file FILE or as --value-hex HEX",
    );
  if (valueHex !== undefined) return parseHex("--value-hex", valueHex);
  if (file !== undefined) return fileContent(file);
  return given === "-" ? terminal.input() : (given as string);
}

/**
 * The content of a file, piece by piece. A pipe is refused, as opening one waits for a writer.
 * @param what what the path is, for errors
 */
export function fileContent(path: string, what = "--file"): Readable {
  const { descriptor } = inputFile(path, what);
  return createReadStream(path, { fd: descriptor, highWaterMark: 1 << 20 });
}

/** Opens a file that is read. @param what what the path is, for errors */
export function inputFile(path: string, what: string): OpenedFile {
  let file: OpenedFile | undefined;
  try {
    file = openRegular(path);
  } catch (cause) {
    throw new MerostoreError("INVALID_ARGUMENT", `${what}: ${(cause as Error).message}`, { cause });
  }
  if (file === undefined) {
    const advice = path === "-" ? "; to read stdin, write - as VALUE, without --file" : "";
    throw new MerostoreError("INVALID_ARGUMENT", `${what}: the file ${path} does not exist${advice}`);
  }
  return file;
}
