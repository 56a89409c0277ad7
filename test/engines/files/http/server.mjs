/**
 * A web server in a process of its own: serves a folder, well or badly. The first part of a path says how: `/plain/…`.
 * Prints its port. `/requests` returns what was requested since the last time, and forgets it.
 */
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const [folder] = process.argv.slice(2);
let requests = [];
let answers = new Map();

/** The number of answers of a kind for a file. */
function count(kind) {
  const before = answers.get(kind) ?? 0;
  answers.set(kind, before + 1);
  return before;
}

function rangeOf({ headers }, size) {
  const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), end: Math.min(size, Number(last) + 1) };
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  const [how, name] = url.pathname.slice(1).split("/");
  if (how === "requests") {
    response.end(JSON.stringify(requests));
    requests = [];
    answers = new Map();
    return;
  }
  if (how.startsWith("cors")) {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "range, if-range");
    if (how === "cors") response.setHeader("access-control-expose-headers", "content-range, etag");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
  }
  const { range, authorization } = request.headers;
  const ifRange = request.headers["if-range"];
  const isTable = /\.sst$/.test(name);
  const own = join(folder, how); // a folder of this name is served as it is
  const file = statSync(own, { throwIfNoEntry: false })?.isDirectory() ? join(own, name) : join(folder, name);
  const stat = statSync(file, { throwIfNoEntry: false });
  const log = { how, name, range, ifRange, authorization, query: url.search, bytes: 0 };
  requests.push(log);
  if (stat === undefined || (how === "unlisted" && name.endsWith(".json"))) {
    response.writeHead(404).end("nothing here");
    return;
  }
  if (how === "forbidden") return void response.writeHead(403).end("\u001b[31mno");
  if (how === "busy" && count(`busy ${name}`) < 2) return void response.writeHead(503).end();
  if (how === "down" && isTable) return void response.writeHead(500).end();
  if (how === "drops" && count(`drops ${name}`) < 2) {
    response.writeHead(range === undefined ? 200 : 206, { "content-length": stat.size });
    response.write("a few bytes");
    setTimeout(() => response.destroy(), 20);
    return;
  }
  if (how === "hangs" && isTable) return;
  if (how === "trickles" && isTable) {
    response.writeHead(206, { "content-length": rangeOf(request, stat.size).end });
    const sending = setInterval(() => response.write("x"), 10);
    response.on("close", () => clearInterval(sending));
    return;
  }
  const { size } = stat;
  let tag = `"${size}-${stat.mtimeMs}"`;
  if (how === "changes" && isTable && count(`changes ${name}`) > 0) tag = '"another"';
  const part = how === "ignores" ? undefined : rangeOf(request, size);
  const isCurrent = ifRange === undefined || ifRange === tag;
  const headers = { etag: tag };
  if (how === "dated") {
    delete headers.etag;
    headers["last-modified"] = stat.mtime.toUTCString();
  }
  if (how === "silent") delete headers.etag;
  if (part === undefined || (!isCurrent && how !== "dated")) {
    log.bytes = size;
    response.writeHead(200, { ...headers, "content-length": size });
    createReadStream(file).pipe(response);
    return;
  }
  let { start, end } = part;
  let said = `bytes ${start}-${end - 1}/${size}`;
  if (how === "lies" && isTable) said = `bytes 0-${end - start - 1}/${size}`;
  if (how === "grows" && isTable) said = `bytes ${start}-${end - 1}/${size + 1}`;
  if (how === "short" && isTable) end = start + Math.floor((end - start) / 2);
  if (how === "long" && isTable) start = Math.max(0, start - 1);
  if (how === "shifted" && isTable && start > 0) [start, end] = [start - 1, end - 1];
  if (how === "gzip" && isTable) headers["content-encoding"] = "gzip";
  log.bytes = end - start;
  const send = () => {
    response.writeHead(206, { ...headers, "content-range": said, "content-length": end - start });
    createReadStream(file, { start, end: end - 1 }).pipe(response);
  };
  if (how === "slow") setTimeout(send, 60);
  else send();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.on("disconnect", () => process.exit());
