// The explorer, in dist/explorer. Its page and its worker are built apart; the demonstration is a node's database from the
// fixtures; explorer.html is the whole page in one file.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const out = join(root, "dist/explorer");
const configFile = join(root, "packages/explorer/vite.config.ts");

/** Writes the folder dist/explorer. */
export async function writeExplorer() {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });

  await build({ configFile });
  await build({
    configFile,
    // The worker is a script without an address, and contains the file of the decompressor. That file's URL needs a base that
    // parses.
    define: { "import.meta.url": JSON.stringify("data:,") },
    build: {
      // A module would keep its white space.
      lib: {
        ...{
          entry: join(root, "packages/explorer/src/worker/worker.ts"),
          formats: ["iife"],
          name: "explorer",
        },
        fileName: () => "worker.js",
      },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  writeFileSync(join(out, "demonstration.json"), demonstration());
  writeFileSync(join(out, "explorer.html"), inOneFile());
  for (const inside of [out, join(out, "assets")]) packAll(inside);
}

/** Packs the programs and data of a folder, which are most of it: the server unpacks them. */
function packAll(folder) {
  for (const name of readdirSync(folder).filter((one) => /\.(?:js|json|wasm)$/.test(one))) {
    const file = join(folder, name);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    rmSync(file);
  }
}

/** The files of a database by their paths, compressed. */
function demonstration() {
  const folder = join(root, "fixtures/core-0.11/node-a/db");
  const files = readdirSync(folder)
    .filter((name) => /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:sst|log))$/.test(name))
    .map((name) => [`node-a/${name}`, packed(join(folder, name))]);
  return JSON.stringify(Object.fromEntries(files));
}

/** A file in gzip, in base64. */
function packed(file) {
  return gzipSync(readFileSync(file), { level: 9 }).toString("base64");
}

/** The page with its style, its program, its worker and the demonstration, and a policy that allows nothing else. */
function inOneFile() {
  const page = readFileSync(join(out, "index.html"), "utf8");
  const assets = readdirSync(join(out, "assets"));
  const text = (ending) =>
    readFileSync(
      join(
        out,
        "assets",
        assets.find((name) => name.endsWith(ending)),
      ),
      "utf8",
    );
  const [style, program] = [text(".css"), inScript(text(".js"))];
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(program)}' blob: 'wasm-unsafe-eval'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "worker-src blob:",
    "connect-src http: https: data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return page
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
    .replace(/<script type="module"[^>]*><\/script>/, "")
    .replace("<head>", () => `<head>\n<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace("</body>", () =>
      [
        `<script type="text/plain" id="worker-program">${packed(join(out, "worker.js"))}</script>`,
        `<script type="application/json" id="demonstration">${demonstration()}</script>`,
        `<script type="module">${program}</script>\n</body>`,
      ].join("\n"),
    );
}

/** A program as a script element may hold it: the element ends at the first end tag, whatever the program means by it. */
function inScript(program) {
  return program.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

function hashOf(content) {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}
