/** Links in documents lead to existing files and headings, and help and comments name existing documents. */
import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** The files below the project's folders whose names have one of the endings. */
async function filesWith(folders: readonly string[], ending: RegExp): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      return names.map((name) => join(folder, name));
    }),
  );
  return found.flat().filter((file) => ending.test(file) && !/node_modules|^bench\/dist/.test(file));
}

const documents = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"],
  ...(await filesWith(["docs", "bench", "packages"], /\.md$/)),
];

/** The text of a document without its blocks of code. */
function proseOf(file: string): string {
  return readFileSync(join(root, file), "utf8").replaceAll(/^ *```.*?^ *```$/gms, "");
}

/** The anchors of the headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const headings = [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading as string);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(/\s/g, "-"),
    ),
  );
}

it.each(documents)("%s has no broken link", (document) => {
  const links = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
  const broken = links
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path, anchor] = target.split("#") as [string, string?];
      const file = path === "" ? document : join(dirname(document), path);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(file).has(anchor);
    });
  expect(broken).toEqual([]);
});

it("sources name documents that exist", async () => {
  const sources = await filesWith(["src", "packages", "test", "scripts"], /\.(ts|tsx|mjs|mts)$/);
  const broken = sources.flatMap((file) => {
    const [workspace = ""] = /^packages\/[^/]+/.exec(file) ?? [];
    const named = readFileSync(join(root, file), "utf8").match(/(?<![\w./])docs\/[\w/.-]+\.md/g) ?? [];
    return named
      .filter((name) => !existsSync(join(root, name)) && !existsSync(join(root, workspace, name)))
      .map((name) => `${file}: ${name}`);
  });
  expect(broken).toEqual([]);
});
