/** The types of arguments and options that follow from the declaration of a command. */
import { expectTypeOf, it } from "vitest";
import { type Arguments, command, type OptionValues } from "../../src/cli/arguments/command.js";
import {
  choice,
  choiceList,
  choiceOr,
  flag,
  signedNumber,
  text,
  texts,
  wholeNumber,
} from "../../src/cli/arguments/option-kinds.js";
import type { scan } from "../../src/cli/rows/scan.js";

const options = {
  reverse: flag("last row first"),
  limit: wholeNumber("<n>", "at most so many rows"),
  offset: signedNumber("<n>", "from this byte on"),
  column: text("<name>", "a column family"),
  rule: texts("<names...>", "only these rules"),
  size: choice("<size>", ["small", "large"], "a size"),
  sizes: choiceList("<sizes...>", ["small", "large"], "sizes"),
  color: choiceOr("<color>", ["red", "blue"], "red", "a color"),
};

it("infers arguments from the words", () => {
  expectTypeOf<Arguments<"scan <db> [kind] [parts...]">>().toEqualTypeOf<{
    readonly db: string;
    readonly kind: string | undefined;
    readonly parts: readonly string[];
  }>();
  expectTypeOf<keyof Arguments<"schema">>().toBeNever();
});

it("infers values from the kinds of options", () => {
  expectTypeOf<OptionValues<typeof options>>().toEqualTypeOf<{
    readonly reverse: boolean;
    readonly limit: number | undefined;
    readonly offset: number | undefined;
    readonly column: string | undefined;
    readonly rule: readonly string[] | undefined;
    readonly size: "small" | "large" | undefined;
    readonly sizes: readonly ("small" | "large")[] | undefined;
    readonly color: "red" | "blue";
  }>();
});

it("gives both to the work of a command", () => {
  command({
    words: "count <db> [kind]",
    description: "counts rows",
    options: { limit: wholeNumber("<n>", "at most so many rows") },
    help: "",
    async run(terminal, given, options) {
      expectTypeOf(given).toEqualTypeOf<{ readonly db: string; readonly kind: string | undefined }>();
      expectTypeOf(options).toEqualTypeOf<{ readonly limit: number | undefined }>();
      // @ts-expect-error an unknown argument
      await terminal.line(given.part);
      // @ts-expect-error an unknown option
      await terminal.line(options.reverse);
      return 0;
    },
  });
  command({
    words: "count <db>",
    description: "counts rows",
    options: {},
    help: "",
    // @ts-expect-error an unknown status
    run: async () => 5,
  });
  expectTypeOf<Parameters<typeof scan.run>[2]["limit"]>().toEqualTypeOf<number | undefined>();
});

// @ts-expect-error the fallback is one of the choices
choiceOr("<color>", ["red", "blue"], "green", "a color");
