/** The parts from which other packages build their command lines: `merostore/internal/commands`. */
export type { Linked } from "../node/index.js";
export { commandLine } from "./change.js";
export {
  type CommandGroup,
  command,
  type ExitStatus,
  type OptionValues,
  writingSentence,
} from "./command.js";
export { countsText, FindingReport, ruleTable } from "./findings.js";
export { Graph } from "./graph.js";
export type { IdLook } from "./id-look.js";
export { MORE, upTo } from "./limit.js";
export { fitted, shortDate } from "./lines.js";
export { choice, flag, signedNumber, text, wholeNumber } from "./option-kinds.js";
export { dryRun, json, out, utc, verifying } from "./options.js";
export { checkOut, writeOut } from "./out-file.js";
export { parseHex } from "./parts.js";
export { runCommands } from "./run-commands.js";
export { table } from "./table.js";
export { Terminal } from "./terminal.js";
export { clip, inline, printable, short } from "./text.js";
