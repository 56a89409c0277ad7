/**
 * Verification: the rules for the rows of a node's database, and the check of a store against them.
 *
 * @example
 * import { openStore } from "merostore";
 * import { verifyStore, workerThreads } from "merostore/verify";
 *
 * await using store = await openStore("node/data");
 * await using work = workerThreads();
 * const verification = verifyStore(store, { work });
 * for await (const { severity, rule, key, message } of verification) console.log(severity, rule, key, message);
 * console.log((await verification.summary()).errors);
 */
export { blobFolder } from "../blobs/index.js";
export * from "./browser.js";
export { type WorkerThreads, type WorkerThreadsOptions, workerThreads } from "./threads/worker-threads.js";
