/** The files of the page, from a folder like the one that the build makes. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ExplorerServer, serveExplorer } from "../../src/explore/server.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";
import { rawRequest } from "./explorer.js";

const folder = temporaryFolder();
const page = join(folder.path, "page");
const database = {
  name: "node-a",
  path: "node-a",
  folder: fixturePath("core-0.11/node-a/db"),
  blobs: undefined,
};
let server: ExplorerServer;
const get = (path: string, headers = {}, method = "GET") =>
  rawRequest(Number(new URL(server.address).port), path, headers, method);

beforeAll(async () => {
  mkdirSync(join(page, "assets", "deeper"), { recursive: true });
  writeFileSync(join(folder.path, "outside.js"), "outside");
  const files = {
    "index.html": "<p>ü",
    "worker.js": "self",
    "packed.js.gz": gzipSync("packed"),
    "demonstration.json": "{}",
    "explorer.html": "in one",
    ".secret.js": "hidden",
    "assets/index-Ab_1.js": "page",
    "assets/index.css": "p {}",
    "assets/a.svg": "<svg/>",
    "assets/a.bin": "bin",
    "assets/.hidden": "hidden",
    "assets/deeper/a.js": "deeper",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(page, name), content);
  symlinkSync(join(folder.path, "outside.js"), join(page, "assets", "link.js"));
  symlinkSync("index.css", join(page, "assets", "link.css"));
  server = await serveExplorer([database], { page });
});

afterAll(async () => {
  await server.close();
  folder[Symbol.dispose]();
});

it("are served without the token, with their types", async () => {
  expect(server.isPageBuilt).toBe(true);
  for (const [path, type, content] of [
    ["/", "text/html; charset=utf-8", "<p>ü"],
    ["/?a=b", "text/html; charset=utf-8", "<p>ü"],
    ["/worker.js", "text/javascript; charset=utf-8", "self"],
    ["/packed.js", "text/javascript; charset=utf-8", "packed"],
    ["/demonstration.json", "application/json; charset=utf-8", "{}"],
    ["/assets/index-Ab_1.js", "text/javascript; charset=utf-8", "page"],
    ["/assets/index.css", "text/css; charset=utf-8", "p {}"],
    ["/assets/a.svg", "image/svg+xml", "<svg/>"],
    ["/assets/a.bin", "application/octet-stream", "bin"],
  ] as const) {
    const { status, headers, body } = await get(path);
    expect([status, headers["content-type"], body.toString()], path).toEqual([200, type, content]);
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(content)));
    const head = await get(path, {}, "HEAD");
    expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([
      200,
      0,
      headers["content-length"],
    ]);
  }
});

it("come with a policy that allows the page its own files and nothing else", async () => {
  for (const path of ["/", "/worker.js", "/assets/index-Ab_1.js"]) {
    const { headers } = await get(path);
    // The worker compiles WebAssembly that is part of its own code.
    const scripts = path === "/worker.js" ? "'self' 'wasm-unsafe-eval'" : "'self'";
    const connections = path === "/worker.js" ? "'self' data:" : "'self'";
    expect(headers).toMatchObject({
      "content-security-policy": `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self' data:; font-src 'none'; connect-src ${connections}; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "cache-control": "no-store",
    });
    expect(headers["set-cookie"]).toBeUndefined();
  }
});

it("are no links, no hidden files, and nothing beside them", async () => {
  for (const path of [
    "/index.html",
    "/explorer.html",
    "/.secret.js",
    "/assets/link.js",
    "/assets/link.css",
    "/assets/.hidden",
    "/assets/deeper",
    "/assets/deeper/a.js",
    "/assets/missing.js",
    "/outside.js",
    "/assets/..%2f..%2foutside.js",
    "/assets/../../outside.js",
  ])
    expect((await get(path)).status, path).toBe(404);
});

it("are in memory: they stay as they were when the server began", async () => {
  writeFileSync(join(page, "worker.js"), "another");
  writeFileSync(join(page, "assets", "late.js"), "late");
  expect((await get("/worker.js")).body.toString()).toBe("self");
  expect((await get("/assets/late.js")).status).toBe(404);
});

it("are missed in a sentence where the page was not built", async () => {
  const unbuilt = await serveExplorer([database], { page: join(folder.path, "none") });
  try {
    const { status, body } = await rawRequest(Number(new URL(unbuilt.address).port), "/");
    expect([status, body.toString()]).toEqual([503, "The page was not built: npm run build\n"]);
    expect(unbuilt.isPageBuilt).toBe(false);
  } finally {
    await unbuilt.close();
  }
});
