/** A web server for tests, in a process of its own. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Serves a folder on a free port of this machine.
 *
 * @param {string} folder
 * @returns {Promise<import("./serve.d.mts").Server>}
 */
export async function serve(folder) {
  const child = fork(fileURLToPath(new URL("server.mjs", import.meta.url)), [folder], { silent: true });
  const port = await new Promise((resolve, reject) => {
    child.stdout?.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", (code) => reject(new Error(`the server ended with status ${code}`)));
  });
  const root = `http://127.0.0.1:${port}`;
  return {
    root,
    url: (how) => `${root}/${how}/`,
    requests: async () => (await fetch(`${root}/requests`)).json(),
    close: () => void child.kill(),
    [Symbol.dispose]: () => void child.kill(),
  };
}
