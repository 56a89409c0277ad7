/** Connections that are cut: in a scan, before a COMMIT arrives, and before its answer arrives. */
import { openPostgresEngine } from "../../src/index.js";
import { TcpProxy } from "../support/tcp-proxy.js";
import { bytes, check, codeOf, nodeAt, put, text, withNode } from "./rows.js";

const ROWS = 5_000;

/** Cuts connections, `times` times in each way. Returns the totals. */
export async function cutConnections(server: string, times: number) {
  const url = nodeAt(server, "cuts");
  const { hostname, port } = new URL(url);
  const proxy = await TcpProxy.to(hostname, Number(port));
  try {
    return await withNode(
      url,
      openPostgresEngine(url, { create: true, columns: ["State"] }),
      async (direct) => {
        const rows = Array.from({ length: ROWS }, (_, at) =>
          put("State", String(at).padStart(6, "0"), "x".repeat(100)),
        );
        await direct.write(rows);
        for (let time = 0; time < times; time++) {
          await inScan(proxy, url);
          await inCommit(proxy, url, `before ${time}`, "cut");
          check(
            (await direct.get("State", bytes(`before ${time}`))) === undefined,
            "a COMMIT that was not sent counted",
          );
          await inCommit(proxy, url, `after ${time}`, "forward and cut");
          check(
            text(await eventually(direct, `after ${time}`)) === "written",
            "a COMMIT that arrived did not count",
          );
          await beforeCommit(proxy, url, `again ${time}`);
          check(
            text(await direct.get("State", bytes(`again ${time}`))) === "written",
            "a batch was not sent again",
          );
          await atRest(proxy, url);
        }
        return { scans: times, commits: 2 * times, batches: times, resting: times };
      },
    );
  } finally {
    await proxy.close();
  }
}

async function inScan(proxy: TcpProxy, url: string): Promise<void> {
  proxy.heal();
  await using engine = await openPostgresEngine(proxy.through(url));
  const chunks = engine.scan("State").chunks();
  const first = await chunks.next();
  check(first.done !== true, "the scan had no rows");
  proxy.toClient = () => "cut";
  const rest = (async () => {
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks })
      check(chunk.length > 0, "an empty chunk");
  })();
  const code = await codeOf(rest);
  proxy.heal();
  check(code === "CONNECTION_LOST", `a cut scan ended with ${code}`);
  // The engine goes on with a new connection.
  check((await engine.get("State", bytes("000001"))) !== undefined, "a row was not found after the cut");
}

async function inCommit(
  proxy: TcpProxy,
  url: string,
  key: string,
  how: "cut" | "forward and cut",
): Promise<void> {
  proxy.heal();
  await using engine = await openPostgresEngine(proxy.through(url), { writable: true });
  await engine.write([put("State", "another", "row")]);
  let commits = 0;
  proxy.toServer = (piece) => {
    if (!piece.toString("latin1").includes("commit\0")) return "forward";
    commits++;
    return how;
  };
  const code = await codeOf(engine.write([put("State", key, "written")]));
  proxy.heal();
  check(code === "COMMIT_UNKNOWN", `a cut COMMIT ended with ${code}`);
  check(commits === 1, `the COMMIT was sent ${commits} times`);
  await engine.write([put("State", "another", "row again")]);
}

/** A connection that is lost before the COMMIT: the batch is sent once more. */
async function beforeCommit(proxy: TcpProxy, url: string, key: string): Promise<void> {
  proxy.heal();
  await using engine = await openPostgresEngine(proxy.through(url), { writable: true });
  let cuts = 0;
  proxy.toServer = (piece) => {
    if (cuts > 0 || !piece.toString("latin1").includes("insert into")) return "forward";
    cuts++;
    return "cut";
  };
  await engine.write([put("State", key, "written")]);
  proxy.heal();
  check(cuts === 1, "the batch was not cut");
}

/** A connection that is lost while nobody uses it is replaced, and nobody notices. */
async function atRest(proxy: TcpProxy, url: string): Promise<void> {
  proxy.heal();
  await using engine = await openPostgresEngine(proxy.through(url));
  check((await engine.get("State", bytes("000001"))) !== undefined, "a row was not found");
  let cuts = 0;
  proxy.toServer = () => (cuts++ === 0 ? "cut" : "forward");
  check(
    (await engine.get("State", bytes("000002"))) !== undefined,
    "a row was not found after a cut at rest",
  );
  proxy.heal();
}

/** The server finishes a COMMIT that it got, even if its answer reaches nobody. */
async function eventually(
  engine: { get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> },
  key: string,
) {
  for (let tries = 0; tries < 500; tries++) {
    const value = await engine.get("State", bytes(key));
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return undefined;
}
