// A writer that takes commands: `node told-writer.mjs DIR`. A line of stdin is a JSON array of operations with keys and
// values in hex, "flush" or "reopen". After each line it prints "done".
import { createInterface } from "node:readline";
import { openRocksEngine } from "../../dist/engines/index.js";

const [path] = process.argv.slice(2);
const open = () => openRocksEngine(path, { writable: true, acceptLogLoss: true });
let engine = await open();
process.stdout.write("done\n");
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (told === "flush") await engine.flush();
  else if (told === "reopen") {
    await engine.close();
    engine = await open();
  } else await engine.write(told.map(toOperation));
  process.stdout.write("done\n");
}
await engine.close();

function toOperation({ type, column, ...hex }) {
  const bytes = Object.entries(hex).map(([name, text]) => [name, Buffer.from(text, "hex")]);
  return { type, column, ...Object.fromEntries(bytes) };
}
