/** The manual page `man/merostore.1`, from the declarations of the commands. */
import type { Command, CommandGroup } from "../../src/cli/arguments/command.js";
import type { Option } from "../../src/cli/arguments/option-kinds.js";
import { reading } from "../../src/cli/arguments/options.js";
import { longName } from "../../src/cli/arguments/parser.js";
import { merostore } from "../../src/cli/program.js";

export function manPage(): string {
  const pages = merostore.pages ?? {};
  const all = pages.options?.(undefined) ?? "";
  return [
    '.TH MEROSTORE 1 "" "merostore" "User Commands"',
    ".SH NAME",
    `merostore \\- ${plain(merostore.description)}`,
    ".SH SYNOPSIS",
    ".B merostore",
    "\\fIcommand\\fR \\fIdb\\fR [\\fIoptions\\fR]",
    ".SH COMMANDS",
    "merostore help \\fIcommand\\fR describes each with examples.",
    ...merostore.commands.flatMap((one) => linesOf(one, "")),
    ".SH OPTIONS",
    "Options of the commands that read a database:",
    ...Object.entries(reading).flatMap(([name, option]) => optionLines(name, option)),
    ".SH NOTES",
    // The text below the list of options.
    ...paragraphs(all.slice(all.indexOf("\n\n") + 2)),
    ".SH EXAMPLES",
    ...paragraphs(merostore.help.replace(/^Examples:\n/, "")),
    "",
  ].join("\n");
}

function linesOf(one: Command | CommandGroup, path: string): readonly string[] {
  if ("commands" in one) return one.commands.flatMap((child) => linesOf(child, `${path}${one.name} `));
  const [name, ...words] = one.words.split(" ");
  const usage = one.usage === undefined ? words.join(" ") : one.usage.replace(/^\[options\] /, "");
  return [
    `.SS "${plain(`${path}${name}`)} \\fI${plain(usage).replaceAll('"', "\\(dq")}\\fR"`,
    plain(one.description),
    ...Object.entries(one.options)
      .filter(([, { isShared }]) => !isShared)
      .flatMap(([option, declaration]) => optionLines(option, declaration)),
  ];
}

function optionLines(name: string, { short, placeholder, description, choices }: Option<unknown>): string[] {
  const flags = [...(short === undefined ? [] : [`-${short}`]), longName(name)].join(", ");
  const values = choices === undefined ? "" : ` (${choices.join(", ")})`;
  return [
    ".TP",
    `\\fB${plain(flags)}\\fR${placeholder === undefined ? "" : ` \\fI${plain(placeholder)}\\fR`}`,
    plain(`${description}${values}`),
  ];
}

/** Paragraphs as they are: lines that are indented, or have columns, keep their form. */
function paragraphs(text: string): readonly string[] {
  return text
    .split("\n\n")
    .flatMap((paragraph) => [".PP", ".nf", ...paragraph.split("\n").map(plain), ".fi"]);
}

/** Text that troff shows as it is. */
function plain(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1");
}
