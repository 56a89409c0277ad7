import { linesOf } from "../run.js";

/** The words of the commands below "next". */
export function nextOf(stdout: string): readonly (readonly string[])[] {
  const lines = linesOf(stdout.slice(stdout.indexOf("\nnext\n") + 6));
  return lines.map((line) => (line.split("# ")[0] ?? "").trim().split(/ +/));
}
