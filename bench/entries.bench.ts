import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import type { Question } from "./question.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The conditions of an export, each with its file, or with conditions of its own. */
interface Conditions {
  readonly browser?: Conditions;
  readonly default: string;
}

export default {
  name: "entries",
  asks: "What does each entry point of the built package load (npm run build first), how long does that take, and what does a browser get?",
  against: "Node that imports nothing",
  async *answer({ options }) {
    const { name, exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
      readonly name: string;
      readonly exports: Readonly<Record<string, string | Conditions>>;
    };
    const nothing = loadTime(undefined, options.runs);
    yield `Node itself starts in ${nothing.toFixed(0)} ms`;
    for (const [entry, conditions] of Object.entries(exports)) {
      if (typeof conditions === "string") continue;
      const specifier = name + entry.slice(1);
      const { files, bytes } = await loaded(conditions);
      const time = loadTime(specifier, options.runs) - nothing;
      const page = await forBrowser(conditions);
      const size =
        page === undefined ? "needs Node" : `${kB(page.length)}, with gzip ${kB(gzipSync(page).length)}`;
      yield `| \`${specifier}\` | ${files} | ${kB(bytes)} | ${time.toFixed(0)} ms | ${size} |`;
    }
  },
} satisfies Question;

/** The modules that an import loads at once, those of packages included, and their bytes. */
async function loaded(conditions: Conditions): Promise<{ readonly files: number; readonly bytes: number }> {
  const { metafile } = await build({
    ...{
      entryPoints: [`${root}${conditions.default}`],
      bundle: true,
      splitting: true,
      write: false,
      metafile: true,
    },
    ...{ format: "esm", platform: "node", outdir: "out", logLevel: "silent", external: optional() },
  });
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind, external } of inputOf(metafile, file).imports)
      if (kind !== "dynamic-import" && external !== true) visit(path);
  };
  const [first] = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  if (first !== undefined) visit(first);
  return { files: seen.size, bytes: [...seen].reduce((sum, file) => sum + inputOf(metafile, file).bytes, 0) };
}

function inputOf({ inputs }: Metafile, file: string): Metafile["inputs"][string] {
  return inputs[file] ?? { bytes: 0, imports: [] };
}

/** What a bundler makes of an entry point for a page; undefined where it needs Node. */
async function forBrowser(conditions: Conditions): Promise<Uint8Array | undefined> {
  const { default: file } = conditions.browser ?? conditions;
  try {
    const { outputFiles } = await build({
      ...{ entryPoints: [`${root}${file}`], bundle: true, write: false, minify: true, format: "esm" },
      ...{ platform: "browser", conditions: ["browser"], logLevel: "silent", external: optional() },
    });
    return outputFiles[0]?.contents;
  } catch {
    return undefined;
  }
}

/** Packages that are loaded when they are used. */
function optional(): string[] {
  const { optionalDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(optionalDependencies);
}

/** The least milliseconds that a process takes which imports a module, or nothing. */
function loadTime(specifier: string | undefined, runs: number): number {
  const program = specifier === undefined ? "" : `await import(${JSON.stringify(specifier)})`;
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    spawnSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: root });
    return performance.now() - start;
  });
  return Math.min(...times);
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
