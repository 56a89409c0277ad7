/** `merostore explore` as a process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../../../bin/merostore.js", import.meta.url));

/** Starts it for databases. Returns the printed address, and a function that ends the command. */
export async function explore(...databases) {
  const child = spawn(process.execPath, [program, "explore", ...databases, "--no-open"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(([status]) => {
      throw new Error(`explore ended with status ${status} before it printed its address`);
    }),
  ]);
  return {
    address: String(line).trim(),
    async close() {
      child.kill("SIGINT");
      const [status] = await once(child, "exit");
      return status;
    },
  };
}
