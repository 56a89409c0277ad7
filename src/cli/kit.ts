/** The parts from which other packages build their command lines: `merostore/internal/commands`. */
export type { Linked } from "../node/index.js";
export {
  type CommandGroup,
  command,
  type ExitStatus,
  type OptionValues,
  writingSentence,
} from "./arguments/command.js";
export { choice, flag, signedNumber, text, wholeNumber } from "./arguments/option-kinds.js";
export { dryRun, json, out, utc, verifying } from "./arguments/options.js";
export { parseHex } from "./arguments/parts.js";
export { Graph } from "./output/graph.js";
export type { IdLook } from "./output/id-look.js";
export { MORE, upTo } from "./output/limit.js";
export { fitted, shortDate } from "./output/lines.js";
export { checkOut, writeOut } from "./output/out-file.js";
export { table } from "./output/table.js";
export { Terminal } from "./output/terminal.js";
export { clip, inline, printable, short } from "./output/text.js";
export { commandLine } from "./rows/change.js";
export { runCommands } from "./run-commands.js";
export { countsText, FindingReport, ruleTable } from "./verify/findings.js";
