// A life of a writer that is killed at a random moment.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Starts a writer and kills it.
 *
 * @param time milliseconds that it has at most once it has opened, and acknowledged `least` things
 * @param words further arguments of the writer
 * @returns the number of the last thing that it acknowledged; undefined when it had not opened
 */
export async function writeAndKill(writer, path, known, random, time, least = 0, ...words) {
  const child = spawn(process.execPath, [writer, path, String(known + 1), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let last;
  let seen = "";
  // It prints a line when it has opened, and one for each thing.
  const ready = new Promise((resolve) => {
    child.stdout.setEncoding("latin1").on("data", (text) => {
      seen += text;
      if (seen.split("\n", least + 2).length > least + 1) resolve();
    });
  });
  const ended = once(child, "close");
  // Some are killed while they open; most while they write.
  if (random() < 0.1) await sleep(40 + random() * 60);
  else {
    await Promise.race([ready, ended]);
    await sleep(random() * time);
  }
  child.kill("SIGKILL");
  await ended;
  // A line that was printed in part was acknowledged, but its number cannot be read.
  for (const line of seen.slice(0, seen.lastIndexOf("\n") + 1).split("\n")) {
    if (/^\d+$/.test(line)) last = Number(line);
    else if (line === "open") last ??= known;
  }
  return last;
}
