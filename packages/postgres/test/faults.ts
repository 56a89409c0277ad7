/** The questions of `npm run test:postgres`. */

export { databases } from "../../../test/support/fixtures.js";
export { writeAfterConflict, writeAtOnce } from "./faults/conflicts.js";
export { runContract } from "./faults/conformance.js";
export { copyThereAndBack } from "./faults/copies.js";
export { cutConnections } from "./faults/cuts.js";
export { compareHistories } from "./faults/histories.js";
export { killServer } from "./faults/kills.js";
export { otherProgram, randomFrom } from "./faults/rows.js";
export { PostgresServer } from "./support/postgres-server.js";
