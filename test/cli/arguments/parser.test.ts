/** The arguments of a command for the words that a user types. */
import { describe, expect, it } from "vitest";
import { command, type ExitStatus } from "../../../src/cli/arguments/command.js";
import {
  choiceList,
  choiceOr,
  flag,
  signedNumber,
  text,
  texts,
} from "../../../src/cli/arguments/option-kinds.js";
import { parserOf } from "../../../src/cli/arguments/parser.js";
import { Terminal } from "../../../src/cli/output/terminal.js";
import { Sink } from "../run.js";

const options = {
  keysOnly: flag("no values"),
  out: text("<file>", "a file", { short: "o", conflicts: ["keysOnly"] }),
  rule: texts("<names...>", "rules"),
  offset: signedNumber("<n>", "an offset"),
  size: choiceOr("<size>", ["small", "large"], "small", "a size"),
  colors: choiceList("<colors...>", ["red", "blue"], "colors"),
};

/** Runs a command with these words. Returns its arguments, and the parser's stderr. */
async function parsed(...typed: string[]): Promise<{ given?: unknown; status?: ExitStatus; stderr: string }> {
  const stderr = new Sink();
  const terminal = new Terminal(new Sink(), stderr);
  let given: unknown;
  let status: ExitStatus | undefined;
  const show = command({
    words: "show <db> [kind] [parts...]",
    description: "shows",
    options,
    help: "Example",
    async run(_, names, values) {
      given = { ...names, ...values };
      return 1;
    },
  });
  const group = { name: "tool", description: "a tool", help: "Examples", commands: [show] };
  const parser = parserOf(group, terminal, (result) => {
    status = result;
  });
  await parser.parseAsync(["show", ...typed], { from: "user" }).catch(() => undefined);
  return { ...(status !== undefined && { given, status }), stderr: stderr.text };
}

describe("a command", () => {
  it("receives every argument and option, also those that were not typed", async () => {
    expect(await parsed("a")).toEqual({
      given: {
        db: "a",
        kind: undefined,
        parts: [],
        keysOnly: false,
        out: undefined,
        rule: undefined,
        offset: undefined,
        size: "small",
        colors: undefined,
      },
      status: 1,
      stderr: "",
    });
  });

  it("receives typed values, lists in order, and a value that is given twice once", async () => {
    const words = ["a", "K", "p", "q", "-o", "y", "--out", "y", "--rule", "r", "s", "--offset", "-7"];
    const more = ["--rule", "t", "--size", "large", "--colors", "blue", "red"];
    expect(await parsed(...words, ...more)).toMatchObject({
      given: {
        db: "a",
        kind: "K",
        parts: ["p", "q"],
        out: "y",
        rule: ["r", "s", "t"],
        offset: -7,
        size: "large",
        colors: ["blue", "red"],
      },
      status: 1,
    });
    expect(await parsed("a", "--keys-only")).toMatchObject({ given: { keysOnly: true } });
  });

  it.each([
    [["a", "--offset", "1.5"], /'--offset <n>' argument '1\.5' is invalid\. Write a whole number;/],
    [
      ["a", "--size", "huge"],
      /'--size <size>' argument 'huge' is invalid\. Allowed choices are small, large;/,
    ],
    [["a", "--colors", "red", "green"], /argument 'green' is invalid\. Allowed choices are red, blue;/],
    [["a", "--keys-only", "-o", "x"], /'-o, --out <file>' cannot be used with option '--keys-only';/],
    [["a", "-o", "x", "--out", "y"], /^merostore: --out is given twice, with two values;/],
    [["a", "--size", "large", "--size", "small"], /^merostore: --size is given twice, with two values;/],
    [["a", "--offset", "1", "--offset", "2"], /^merostore: --offset is given twice, with two values;/],
    [[], /missing required argument 'db', and MEROSTORE_DB is not set;/],
  ])("does not run for %j", async (words, says) => {
    const { status, stderr } = await parsed(...words);
    expect(status).toBeUndefined();
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/^merostore: .*; see tool show --help\n$/);
  });
});
