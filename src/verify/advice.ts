/** Advice that many rules share. */

export const NOTHING = "Nothing.";

export const RESTORE =
  "Stop the node, keep this database with `merostore backup`, and restore a copy that verifies.";

export const SYNC = "Let the node run until it has synced with its peers, then verify again.";

export const COMPARE =
  "Compare with a peer's database: `merostore diff DB PEER --by context`. If only this one is wrong, restore a copy that verifies.";

/** For rules about State and PrivateState: no peer has the node's PrivateState. */
export const COMPARE_STATE =
  "Compare State with a peer's database: `merostore diff DB PEER --by context`. If only this one is wrong, restore a copy that verifies. No peer has the rows of PrivateState: restore a copy for them.";

export const ADD_BLOB =
  "Add the blob to the node again, or restore a copy of the database and of its folder of blobs.";
