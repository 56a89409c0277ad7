/** Comments name things: they do not begin with a clause. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** The number of comments that may begin with a clause: sometimes it is the plainest way. */
const MOST = 40;

const CLAUSE = /^(What|Who|Whoever|Whose|Where|How|Whether|Why|Which|That which)\b/;

const files = ["src", "packages", "test"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  .filter((file) => /\.(ts|tsx|mts|mjs)$/.test(file) && !/node_modules|\/dist\//.test(file));

/** The beginnings of the comments of a file: of each block, and of each run of lines with `//`. */
function beginnings(text: string): string[] {
  const blocks = [...text.matchAll(/\/\*\*?(?!\/)[\s*]*([^\n]*)/g)];
  const lines = [...text.matchAll(/(?<!^[ \t]*\/\/[^\n]*\n)^[ \t]*\/\/ *([^\n]*)/gm)];
  return [...blocks, ...lines].map(([, beginning]) => beginning as string);
}

it("at most a few comments begin with a clause", () => {
  const found = files.flatMap((file) =>
    beginnings(readFileSync(join(root, file), "utf8"))
      .filter((beginning) => CLAUSE.test(beginning))
      .map((beginning) => `${file}: ${beginning}`),
  );
  expect(found.slice(0, found.length <= MOST ? 0 : MOST)).toEqual([]);
});
