/** The program of a thread: it does the tasks that it receives, one after another. */
import { parentPort } from "node:worker_threads";
import { concatAll } from "../../bytes/concat.js";
import { workHere } from "../work.js";
import { type Answer, type Task, unpackMessages, unpackSigned } from "./packing.js";

parentPort?.on("message", (task: Task) => void answer(task));

async function answer({ id, kind, input }: Task): Promise<void> {
  const output =
    kind === "sha256"
      ? concatAll(await workHere.sha256(unpackMessages(input)))
      : Uint8Array.from(await workHere.verify(unpackSigned(input)), Number);
  parentPort?.postMessage({ id, output } satisfies Answer, [output.buffer as ArrayBuffer]);
}
