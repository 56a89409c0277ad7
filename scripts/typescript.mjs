// Modules of the tests that are TypeScript, for scripts.
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Imports a module with what it imports of `src` and `test`, in one file; packages stay packages. */
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
