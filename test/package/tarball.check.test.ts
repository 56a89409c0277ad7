/** The package as npm packs it: its size, the files that it leaves out, and the links of its documents. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

interface Packed {
  readonly entryCount: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

// Without scripts: the package is built already.
const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
  cwd: root,
  encoding: "utf8",
  shell: process.platform === "win32",
});
const [packed] = JSON.parse(stdout) as [Packed];
const paths = new Set(packed.files.map(({ path }) => path));

it("has at most 1,500 files and 8 MB", () => {
  expect(paths).toContain("dist/index.js");
  expect(paths).toContain("dist/index.d.ts");
  expect(packed.entryCount).toBeLessThanOrEqual(1500);
  expect(packed.unpackedSize).toBeLessThanOrEqual(8_000_000);
});

it("has no sources, no maps, no tests, and the command line in one file with what starts it", () => {
  const unwanted = [...paths].filter((path) =>
    /^(?:src|test|fixtures)\/|\.(?:map|png)$|(?<!\.d)\.tsx?$/.test(path),
  );
  expect(unwanted).toEqual([]);
  expect([...paths].filter((path) => /^dist\/(?:cli|explore)\//.test(path))).toEqual([
    "dist/cli/merostore.js",
    "dist/cli/program.cjs",
  ]);
});

it("has every file that its documents link to", () => {
  const documents = [...paths].filter((path) => path.endsWith(".md"));
  expect(documents).toContain("README.md");
  const broken = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), "utf8").replaceAll(/^ *```.*?^ *```$/gms, "");
    return [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
      .map(([, target]) => target as string)
      .filter((target) => !/^[a-z]+:/.test(target) && !paths.has(join(dirname(document), target)))
      .map((target) => `${document}: ${target}`);
  });
  expect(broken).toEqual([]);
});
