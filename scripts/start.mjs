// `npm start`: the tour of the bundled database, or any command: `npm start -- scan node/data`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const words = process.argv.slice(2);
const bundled = ["tour", "fixtures/core-0.11/node-a/db", "--command", "npm start --"];
const { status } = spawnSync(process.execPath, [cli, ...(words.length > 0 ? words : bundled)], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
