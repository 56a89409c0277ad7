/**
 * Databases of older nodes: their conversion, and the rows that a newer node reads without a conversion. A node
 * converts nothing.
 *
 * @example
 * import { checkUpgrade, convertDatabase } from "merostore/transfer";
 *
 * const { rows, read } = await checkUpgrade("fixtures/core-0.10/node-a/db", { to: "core-0.11" });
 * console.log(`a node of core-0.11 reads ${read} of ${rows} rows`);
 * const { converted, leftBehind } = await convertDatabase("fixtures/core-0.10/node-a/db", "node/converted", { to: "core-0.11" });
 * console.log(converted, leftBehind);
 *
 * @module
 */
export { type Converted, type ConvertOptions, convertDatabase } from "./convert-database.js";
export type { ConvertedKind, LeftRows } from "./report.js";
export { convertedRevisions } from "./source.js";
export { type TakeAlong, type TakenAlong, takeAlong } from "./take-along.js";
export { checkUpgrade, type UpgradeCheck, type UpgradedKind, type UpgradeOptions } from "./upgrade-check.js";
