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

/** What the page may do. Its worker also compiles the checksums of tables. */
const policy = (more = "") =>
  `default-src 'none'; script-src 'self'${more}; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'`;

/** Serves the page. Returns its address, and how to end the server. */
export async function servePage() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = join(built, pathname === "/" ? "index.html" : pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-security-policy": policy(file.endsWith("worker.js") ? " 'wasm-unsafe-eval'" : ""),
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
