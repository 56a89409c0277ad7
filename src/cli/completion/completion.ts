import { didYouMean } from "../../bytes/nearest.js";
import { invalidArgument } from "../../errors.js";
import { command } from "../arguments/command.js";
import { scripts } from "./scripts.js";

/** Prints the script that completes command lines in a shell. */
export const completion = command({
  words: "completion <shell>",
  description: "print the script that completes commands, options, kinds and parts in bash, zsh or fish",
  options: {},
  help: `Examples:
  eval "$(merostore completion bash)"
  merostore completion zsh > _merostore
  merostore completion fish > merostore.fish

Put the line for bash into ~/.bashrc, the file for zsh into a folder of $fpath, and the file for fish into
~/.config/fish/completions. The script asks merostore itself for what fits, so it stays right when merostore changes.`,

  async run(terminal, { shell }) {
    const make = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (make === undefined) {
      const near = didYouMean(
        shell,
        Object.keys(scripts),
        `; the shells are ${Object.keys(scripts).join(", ")}`,
      );
      throw invalidArgument(`${JSON.stringify(shell)} is not a supported shell${near}`);
    }
    // In the single-file program, both paths are the same.
    const here = [...new Set([process.execPath, process.argv[1] ?? ""])];
    await terminal.text(make(here));
    return 0;
  },
});
