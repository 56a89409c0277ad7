// `node packages/ledger/example/serve.mjs` serves the page, and a new folder through which browsers sync. Prints the address to open in each.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { serveFiles } from "merostore-ledger";

const here = fileURLToPath(new URL(".", import.meta.url));
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript" };

/** Serves the page on a free port, or the one that is given. */
export async function servePage(port = 0) {
  const { outputFiles } = await build({
    ...{ absWorkingDir: here, entryPoints: ["page.js", "worker.js"], outdir: here, write: false },
    ...{ bundle: true, platform: "browser", format: "esm", target: "es2023", tsconfigRaw: {} },
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(here.length), contents]));
  files.set("", readFileSync(`${here}index.html`));
  const server = createServer(({ url }, response) => {
    const name = (url ?? "").slice(1);
    const type = TYPES[name === "" ? "html" : "js"];
    response.writeHead(files.has(name) ? 200 : 404, { "content-type": type }).end(files.get(name));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = mkdtempSync(join(tmpdir(), "list-"));
  const [token, key] = [randomBytes(16).toString("hex"), randomBytes(32).toString("hex")];
  const page = await servePage();
  const { url } = await serveFiles(folder, { token, origin: page.origin });
  console.log(`${page.origin}/#${new URLSearchParams({ server: url, token, key })}`);
}
