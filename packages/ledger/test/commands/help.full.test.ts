import { describe, expect, it } from "vitest";
import { parserOf } from "../../../../src/cli/arguments/parser.js";
import { Terminal } from "../../../../src/cli/output/terminal.js";
import { cliProcess as cli, linesOf, Sink } from "../../../../test/cli/run.js";
import { ledgerCommands } from "../../src/commands/program.js";

const [ledger] = parserOf(ledgerCommands, new Terminal(new Sink(), new Sink()), () => undefined).commands;
const commands = ledger?.commands ?? [];

/** Each command with the commands whose options its examples may have: examples build on others of their group. */
const described = commands.flatMap((command) => [
  { name: command.name(), command, beside: command.commands.length > 0 ? command.commands : [command] },
  ...command.commands.map((one) => ({
    name: `${command.name()} ${one.name()}`,
    command: one,
    beside: command.commands,
  })),
]);

describe.each(described)("ledger $name --help", ({ name, command, beside }) => {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();

  it("shows an example, and only options that exist", () => {
    expect(text).toMatch(new RegExp(`\\n  (?:.* \\| )?merostore ledger ${name}\\b.*\\n`));
    for (const line of linesOf(text)) expect(line.length).toBeLessThanOrEqual(120);
    const options = new Set(beside.flatMap(({ options: own }) => own.map(({ long }) => long)));
    for (const option of text.split("Example")[1]?.match(/--[a-z][a-z0-9-]+/g) ?? [])
      expect(options).toContain(option);
  });
});

it("reports that no other process may have the repository open, and how to get the help of a command", async () => {
  const { status, stdout } = await cli("ledger", "--help");
  expect(status).toBe(0);
  expect(stdout).toContain("No other program may have it open");
  expect(await cli("ledger", "frob")).toEqual({
    status: 2,
    stdout: "",
    stderr: "merostore: unknown command 'frob'; see merostore ledger --help\n",
  });
});
