/** The command watch in a process of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import { exitOf, linesOf, start } from "../run.js";

/** Starts the command, waits until it watches, and collects what it prints. */
export async function watching(...words: readonly string[]) {
  const child = start(["watch", ...words]);
  const out = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      out[name] += text;
    });
  const ended = exitOf(child);
  while (!out.stderr.includes("watching")) await sleep(10);
  return {
    out,
    ended,
    lines: () => linesOf(out.stdout).map((line) => JSON.parse(line) as Record<string, unknown>),
    until: async (count: number) => {
      while (linesOf(out.stdout).length < count) await sleep(10);
    },
    signal: (name: NodeJS.Signals) => child.kill(name),
    end: () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}
