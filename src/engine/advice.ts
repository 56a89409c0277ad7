/** Advice in messages of several engines. */

/** The advice after a failed write. */
export const REOPEN = "Close the database and open it again before you write to it";
