/** The build of the page and its worker: `npm run build` calls it for each of them. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = fileURLToPath(new URL("src/", import.meta.url));

export default defineConfig({
  root: here,
  // The page may lie in any folder of a server.
  base: "./",
  resolve: { conditions: ["browser", "module", "import", "default"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2023",
    outDir: fileURLToPath(new URL("../../dist/explorer/", import.meta.url)),
    emptyOutDir: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
  logLevel: "warn",
});
