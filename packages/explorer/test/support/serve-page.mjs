/** The built page on a web server, with the policy that `merostore explore` sends. */
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../../../dist/explorer/", import.meta.url));

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
};

/** The policy of the page. Its worker also compiles WebAssembly from its own code. */
const policy = (scripts = "", connections = "") =>
  `default-src 'none'; script-src 'self'${scripts}; style-src 'self'; img-src 'self' data:; connect-src 'self'${connections}; worker-src 'self'; base-uri 'none'; form-action 'none'`;

/** Serves the page. Returns its address, and a function that ends the server. */
export async function servePage() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = join(built, pathname === "/" ? "index.html" : pathname);
    const isPacked = existsSync(`${file}.gz`);
    if (!isPacked && !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {
      ...(isPacked && { "content-encoding": "gzip" }),
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-security-policy": file.endsWith("worker.js")
        ? policy(" 'wasm-unsafe-eval'", " data:")
        : policy(),
    });
    createReadStream(isPacked ? `${file}.gz` : file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
