// Import of TypeScript modules of the tests in scripts.
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));

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
  });
  return import(pathToFileURL(outfile).href);
}
