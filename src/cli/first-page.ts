/** The pages of the program's help: the first page, the list of all commands, and the shared options. */
import { type CommandGroup, nameOf } from "./arguments/command.js";
import type { Option } from "./arguments/option-kinds.js";
import { longest, rewrapped, wrapped } from "./output/lines.js";

/** Commands under a heading. */
export interface Section {
  readonly title: string;
  readonly commands: CommandGroup["commands"];
}

/** The first page: the names of the commands under their headings. */
export function firstPage(
  { description, help }: CommandGroup,
  sections: readonly Section[],
  width: number | undefined,
): string {
  const indent = longest(sections.map(({ title }) => title)) + 4;
  const lines = sections.flatMap(({ title, commands }) =>
    wrapped(`  ${title.padEnd(indent - 2)}${commands.map(nameOf).join(" · ")}`, width ?? 100, indent),
  );
  return [description, "", ...lines, "", rewrapped(help, width)].join("\n");
}

/** All commands with their descriptions. */
export function commandsPage(sections: readonly Section[], width: number | undefined): string {
  const indent = longest(sections.flatMap(({ commands }) => commands.map(nameOf))) + 4;
  const blocks = sections.map(({ title, commands }) => [
    title,
    ...commands.flatMap((one) =>
      wrapped(`  ${nameOf(one).padEnd(indent - 2)}${one.description}`, width ?? 120, indent),
    ),
  ]);
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}

/** The options that commands share, and a text about all commands. */
export function optionsPage(
  options: readonly (readonly [flags: string, option: Option<unknown>])[],
  text: string,
  width: number | undefined,
): string {
  const indent = longest(options.map(([flags]) => flags)) + 4;
  const lines = options.flatMap(([flags, { description, choices }]) =>
    wrapped(
      `  ${flags.padEnd(indent - 2)}${description}${choices === undefined ? "" : ` (${choices.join(", ")})`}`,
      width ?? 120,
      indent,
    ),
  );
  return ["Options of the commands that read a database:", ...lines, "", rewrapped(text, width ?? 120)].join(
    "\n",
  );
}
