import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { type CommandGroup, writingCommands } from "../../src/cli/arguments/command.js";
import { parserOf } from "../../src/cli/arguments/parser.js";
import { Terminal } from "../../src/cli/output/terminal.js";
import { merostore as program } from "../../src/cli/program.js";
import { cliProcess as cli, intoPipe, linesOf, merostore, type Outcome, Sink } from "./run.js";

/** The commands as they are declared, without running any. */
function commands(width = 0): Command {
  return parserOf(merostore, new Terminal(new Sink(width), new Sink()), () => undefined);
}

/** The help of a command, as it is printed. */
function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

it.each([60, 80, 120])("describes options in %i columns", (width) => {
  const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
  for (const command of commands(width).commands.flatMap(all)) {
    const [, options] = /^(?:Options|Arguments):\n(.*?)\n(?:\n|$)/ms.exec(helpOf(command)) ?? [];
    for (const line of linesOf(options ?? ""))
      expect([command.name(), line.length <= width, line]).toEqual([command.name(), true, line]);
  }
});

describe.each(commands().commands.map((command) => ({ name: command.name(), command })))(
  "$name --help",
  ({ name, command }) => {
    it("describes the command and shows an example", () => {
      const text = helpOf(command);
      expect(command.description().length).toBeGreaterThan(3);
      expect(text).toMatch(new RegExp(`\\n  merostore ${name}\\b.*\\n`));
      expect(text).not.toContain("[words...]");
      for (const line of linesOf(text)) expect(line.length).toBeLessThanOrEqual(120);
    });

    it("shows only options that exist", () => {
      const text = helpOf(command);
      const all = [command, ...command.commands];
      const options = new Set(all.flatMap((one) => one.options.map(({ long }) => long)));
      const shown = text.split("Example")[1]?.match(/--[a-z][a-z0-9-]+/g) ?? [];
      for (const option of shown.filter((option) => option !== "--json")) expect(options).toContain(option);
    });
  },
);

describe("the program", () => {
  it("shows its help on stdout with status 0", async () => {
    const outcomes = await Promise.all([
      cli("--help"),
      cli("help"),
      cli("scan", "--json", "--help"),
      cli("help", "scan"),
    ]);
    const [root, help, scan, helpScan] = outcomes as [Outcome, Outcome, Outcome, Outcome];
    expect(outcomes.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      Array(4).fill({ status: 0, stderr: "" }),
    );
    expect(root.stdout).toContain("merostore verify node/data");
    expect(linesOf(root.stdout).length).toBeLessThanOrEqual(24);
    expect(help.stdout).toBe(root.stdout);
    expect(helpScan.stdout).toBe(scan.stdout);
  });

  it("names every command on the first page, and describes each on another", async () => {
    const first = helpOf(commands());
    const all = (await intoPipe("help", "commands")).stdout;
    for (const command of commands().commands.filter((one) => one.name() !== "help")) {
      expect(first).toMatch(new RegExp(`(?:  |· )${command.name()}(?: ·|$)`, "m"));
      expect(all).toMatch(new RegExp(`^  ${command.name()} +\\S`, "m"));
    }
    for (const line of [...linesOf(first), ...linesOf(all)]) expect(line.length).toBeLessThanOrEqual(120);
  });

  it("names commands beside each that exist", () => {
    const names = (group: CommandGroup, path = ""): string[] =>
      group.commands.flatMap((one) =>
        "commands" in one
          ? [path + one.name, ...names(one, `${path}${one.name} `)]
          : [path + (one.words.split(" ", 1)[0] as string)],
      );
    const all = names(program);
    const { seeAlso = {}, elsewhere = {} } = program;
    expect(all).toEqual(expect.arrayContaining([...Object.keys(seeAlso), ...Object.values(seeAlso).flat()]));
    for (const word of Object.keys(elsewhere)) expect(all).not.toContain(word);
    const groups = ["blobs", "db", "ledger", "completion"];
    const alone = all.filter((name) => !name.includes(" ") && !groups.includes(name));
    expect(Object.keys(seeAlso)).toEqual(expect.arrayContaining(alone));
  });

  it("names the statuses, the shared options and how secrets are shown", async () => {
    const text = (await intoPipe("help", "options")).stdout;
    for (const option of ["--engine", "--revision", "--key-file", "--thorough", "--no-pager"])
      expect(text).toMatch(new RegExp(`^  ${option}\\b`, "m"));
    for (const line of linesOf(text)) expect(line.length).toBeLessThanOrEqual(120);
    expect(text).toMatch(/Status: 0 .*1 .*2 .*3 /s);
    expect(text).toContain("--reveal-secrets");
  });

  it("prints its version", async () => {
    const { status, stdout } = await cli("--version");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("prints its help as an error when called without a command", async () => {
    const { status, stdout, stderr } = await cli();
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("merostore help COMMAND");
  });

  it("refuses the help of a command that does not exist, like the command itself", async () => {
    for (const [group, path] of [
      [[], "merostore"],
      [["blobs"], "merostore blobs"],
    ] as const) {
      const [unknown, long, short, help] = await Promise.all([
        cli(...group, "foo"),
        cli(...group, "foo", "--help"),
        cli(...group, "foo", "more", "-h"),
        cli(...group, "help", "foo"),
      ]);
      const stderr = `merostore: unknown command 'foo'; see ${path} --help\n`;
      expect(unknown).toEqual({ status: 2, stdout: "", stderr });
      for (const outcome of [long, short, help]) expect(outcome).toEqual(unknown);
    }
    expect((await cli("blobs", "list", "--help")).status).toBe(0);
    expect((await cli("blobs", "--help")).status).toBe(0);
  });
});

it("docs/commands.md names the commands that write", () => {
  const guide = readFileSync(new URL("../../docs/commands.md", import.meta.url), "utf8");
  const names = writingCommands(program.commands).map((name) => `\`${name}\``);
  expect(names.length).toBeGreaterThan(5);
  const sentence = `${names.slice(0, -1).join(", ")} and ${names.at(-1)} write`;
  expect(guide.replaceAll(/\s+/g, " ").includes(sentence), sentence).toBe(true);
});

it("commands that can be tried out write", () => {
  const declared = (group: CommandGroup, path = ""): string[] =>
    group.commands.flatMap((one) => {
      if ("commands" in one) return declared(one, `${path}${one.name} `);
      const writes = "dryRun" in one.options;
      return writes ? [`${path}${one.words.split(" ", 1)[0]}`] : [];
    });
  const writing = writingCommands(program.commands).map((name) => name.replace(/ --.*/, ""));
  expect(writing).toEqual(expect.arrayContaining(declared(program)));
});
