/** Bundles for a browser, made as users of a bundler would make them: nothing is external. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Takes the file that a module names by `new URL(…, import.meta.url)` into the bundle, as Vite and webpack do. */
const ownFile = {
  name: "own-file",
  setup({ onLoad }) {
    onLoad({ filter: /zstd-wasm\/dist\/web\/index\.web\.js$/ }, ({ path }) => {
      const bytes = readFileSync(join(dirname(path), "zstd.wasm")).toString("base64");
      const url = JSON.stringify(`data:application/wasm;base64,${bytes}`);
      return { contents: readFileSync(path, "utf8").replace(/new URL\(.*\)\.href/, () => url) };
    });
  },
};

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "browser",
  format: "esm",
  target: "es2023",
  minify: true,
  metafile: true,
  write: false,
  logLevel: "silent",
  tsconfigRaw: {}, // the compiler's own settings lead to sources
  plugins: [ownFile],
};

/** The bundle of a program, a file or `{ contents, resolveDir }`: its code, and what went in and is left to import. */
export async function bundle(program) {
  const entry = typeof program === "string" ? { entryPoints: [program] } : { stdin: program };
  const { outputFiles, metafile } = await build({ ...options, ...entry });
  return { code: outputFiles[0].text, metafile };
}

/** The entry points of the package, as they are imported. */
export function entryPoints() {
  const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return Object.keys(exports)
    .filter((path) => path !== "./package.json")
    .map((path) => name + path.slice(1));
}

/** The reason why an entry point, with all of its exports, cannot be in a page; undefined if it can. */
export async function refusal(entryPoint) {
  try {
    const contents = `export * from ${JSON.stringify(entryPoint)}`;
    return ofNode(await bundle({ contents, resolveDir: root }))[0];
  } catch (error) {
    return error.errors?.[0]?.text ?? String(error);
  }
}

/** The parts of a bundle that belong to Node or the native package. */
const NODE = /["'`]node:[\w/]+|rocksdb-native|\brequire\s*\(|Dynamic require of/g;

/** The parts of Node, or of the native package, in a bundle. */
export function ofNode({ code, metafile }) {
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  // A module of Node that a package replaces by nothing is listed as disabled.
  const inputs = Object.keys(metafile.inputs).filter((input) =>
    /^\(disabled\)|node:|rocksdb-native|engine\/rocksdb/.test(input),
  );
  // src/crypto asks Node for its own by name, where there is Node: that imports nothing.
  const words = code.replaceAll('process?.getBuiltinModule?.("node:crypto")', "").match(NODE) ?? [];
  return [
    ...imports.map(({ path }) => `imports ${path}`),
    ...inputs.map((input) => `holds ${input}`),
    ...words.map((word) => `says ${word}`),
  ];
}
