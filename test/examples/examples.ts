/** The examples that the project prints: in README, in the help of commands, and in docstrings. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { ledgerCommands } from "../../packages/ledger/src/commands/program.js";
import { parserOf } from "../../src/cli/arguments/parser.js";
import { Terminal } from "../../src/cli/output/terminal.js";
import { merostore } from "../../src/cli/program.js";
import { Sink } from "../cli/run.js";

export const root = join(import.meta.dirname, "../..");

export interface Example {
  /** The place that prints the example. */
  readonly name: string;
  readonly text: string;
}

/** The folders of the packages. */
const PACKAGES = [".", "packages/ledger", "packages/postgres", "packages/explorer"];

/** The blocks of the READMEs and of docs/ in a language. */
export function documentBlocks(language: "sh" | "ts"): Example[] {
  return PACKAGES.flatMap((folder) => {
    const docs = existsSync(join(root, folder, "docs")) ? readdirSync(join(root, folder, "docs")) : [];
    return [
      "README.md",
      ...docs
        .filter((file) => file.endsWith(".md"))
        .sort()
        .map((file) => `docs/${file}`),
    ].flatMap((file) => blocksOf(join(folder, file), language));
  });
}

/** The shell blocks of each document as one script: a reader types them one after another. */
export function documentScripts(): Example[] {
  const scripts = new Map<string, string>();
  for (const { name, text } of documentBlocks("sh")) {
    const file = name.replace(/:\d+$/, "");
    scripts.set(file, (scripts.get(file) ?? "") + text);
  }
  return Array.from(scripts, ([name, text]) => ({ name, text }));
}

/** The blocks of a document in a language. */
export function blocksOf(file: string, language: "sh" | "ts"): Example[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(({ index, 2: block }) => ({
      name: `${file}:${text.slice(0, index).split("\n").length + 1}`,
      text: block as string,
    }));
}

/** The examples of each command's help. */
export function helpExamples(): Example[] {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
  const terminal = new Terminal(new Sink(), new Sink());
  const parsers = [merostore, ledgerCommands].map((group) => parserOf(group, terminal, () => undefined));
  return parsers.flatMap(all).flatMap((command) => {
    let help = "";
    command.configureOutput({ writeOut: (part) => (help += part) });
    command.outputHelp();
    const names: string[] = [];
    for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
    const [, lines] = /^Examples?:\n((?: {2}.*\n)+)/m.exec(help) ?? [];
    return lines === undefined
      ? []
      : [{ name: `${names.join(" ")} --help`, text: lines.replaceAll(/^ {2}/gm, "") }];
  });
}

/** The `@example`s of docstrings. */
export function docstringExamples(): Example[] {
  const files = PACKAGES.flatMap((folder) =>
    readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" }).map((file) =>
      join(folder, "src", file),
    ),
  );
  return files
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .flatMap((file) => {
      const source = readFileSync(join(root, file), "utf8");
      return [...source.matchAll(/@example\n(.*?)(?=\n\s*\* @|\s*\*\/)/gs)].map(({ index, 1: block }) => ({
        name: `${file}:${source.slice(0, index).split("\n").length + 1}`,
        text: (block as string).replaceAll(/^\s*\* ?/gm, ""),
      }));
    });
}

/** The commands of a piece of shell: a line that ends with `\` or `|` continues in the next. */
export function shellCommands(text: string): string[] {
  return text
    .trimEnd()
    .split(/(?<![\\|])\n/)
    .filter((line) => line !== "");
}
