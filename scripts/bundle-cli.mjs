// One file of the whole command line, dist/cli/merostore.js, which starts three times as fast as the hundreds of modules that it
// is made of, with the packages that every start needs. Those that are loaded when they are used stay outside.
import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const outfile = `${dist}cli/merostore.js`;

/** Modules that find files beside them, worker threads for example, go on to find them. */
const ownPlace = {
  name: "own-place",
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!path.startsWith(dist) || !text.includes("import.meta.url")) return undefined;
      const place = relative(dirname(outfile), path);
      return {
        contents: text.replaceAll(
          "import.meta.url",
          `new URL(${JSON.stringify(place)}, import.meta.url).href`,
        ),
      };
    });
  },
};

/** Loaded when they are used: what may not be installed, and checksums that not every database has. */
const { optionalDependencies } = JSON.parse(readFileSync(`${dist}../package.json`, "utf8"));
const external = [...Object.keys(optionalDependencies), "hash-wasm"];

await build({
  entryPoints: [`${dist}cli/main.js`],
  outfile,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  external,
  // For packages that are CommonJS.
  banner: {
    js: 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);',
  },
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
  plugins: [ownPlace],
});
