// Import of TypeScript modules of the tests in scripts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Makes modules of `src` and `test` that look for files beside them look beside their source. */
const ownPlace = {
  name: "own-place",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const isOurs = path.startsWith(`${root}src`) || path.startsWith(`${root}test`);
      if (!isOurs || !text.includes("import.meta.url")) return undefined;
      const place = JSON.stringify(pathToFileURL(path).href);
      return { loader: "ts", contents: text.replaceAll("import.meta.url", place) };
    });
  },
};

/** Bundles a module with its imports from `src` and `test`, without packages, and imports it. */
export async function importTypeScript(path) {
  const outfile = join(root, "node_modules/.cache/merostore", path.replace(/\.ts$/, ".mjs"));
  await build({
    absWorkingDir: root,
    entryPoints: [path],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "es2023",
    packages: "external",
    sourcemap: "inline",
    logLevel: "error",
    plugins: [ownPlace],
  });
  return import(pathToFileURL(outfile).href);
}
