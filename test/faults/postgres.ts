/** The questions of `npm run test:postgres`. */

export { databases } from "../support/fixtures.js";
export { PostgresServer } from "../support/postgres-server.js";
export { writeAfterConflict, writeAtOnce } from "./postgres/conflicts.js";
export { runContract } from "./postgres/conformance.js";
export { copyThereAndBack } from "./postgres/copies.js";
export { cutConnections } from "./postgres/cuts.js";
export { compareHistories } from "./postgres/histories.js";
export { killServer } from "./postgres/kills.js";
export { otherProgram, randomFrom } from "./postgres/rows.js";
