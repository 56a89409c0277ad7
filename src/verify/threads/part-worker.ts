/** A thread that opens the database and checks parts of it, one after another. */
import { parentPort, workerData } from "node:worker_threads";
import { isMerostoreError } from "../../errors.js";
import { revisionOf } from "../../schemas/index.js";
import { openStore } from "../../store/index.js";
import { checkPart } from "../part.js";
import { ruleOf } from "../rules/index.js";
import { type Work, workHere } from "../work.js";
import { type News, type Opening, type Order, toSend } from "./part-messages.js";
import { workerThreads } from "./worker-threads.js";

/** Findings that were sent and not read yet, at most: a reader that is slow, or busy with another part, holds the check up. */
const MOST_UNREAD = 1024;

/** Rows after which a step without findings is sent. */
const ROWS_PER_STEP = 8192;

const { folder, revision, cacheBytes, threads } = workerData as Opening;
const store = await openStore(folder, {
  engine: "files",
  schema: revisionOf(revision),
  cacheBytes,
  acceptLogLoss: true, // as it was opened before
});
const work: Work = threads > 0 ? workerThreads({ threads }) : workHere;
let unread = 0;
let wake: (() => void) | undefined;

parentPort?.on("message", (order: Order) => {
  if (order.kind === "check") void check(order).catch(fail);
  else {
    unread -= order.breaks;
    wake?.();
  }
});
send({ kind: "open", sequence: store.raw.sequence });

function send(news: News): void {
  parentPort?.postMessage(news);
}

function fail(error: unknown): void {
  const code = isMerostoreError(error) ? { code: error.code } : {};
  send({
    kind: "failed",
    error: { ...code, message: error instanceof Error ? error.message : String(error) },
  });
}

async function check({ column, rules, scope }: Extract<Order, { kind: "check" }>): Promise<void> {
  await using reader = await store.raw.snapshot();
  const { schema } = store;
  const steps = checkPart(
    { reader, schema, blobs: undefined, work, rules: rules.map(ruleOf), scope },
    { column },
  );
  let rows = 0;
  for (;;) {
    const next = await steps.next();
    if (next.done === true) {
      send({ kind: "step", breaks: [], rows });
      const { summary, checked } = next.value;
      send({ kind: "end", summary, checked: [...checked].map(([rule, count]) => [rule.name, count]) });
      return;
    }
    const { breaks } = next.value;
    rows += next.value.rows;
    if (breaks.length === 0 && rows < ROWS_PER_STEP) continue;
    send({ kind: "step", breaks: breaks.map(toSend), rows });
    rows = 0;
    unread += breaks.length;
    while (unread > MOST_UNREAD) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}
