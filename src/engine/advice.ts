/** Advice in messages of several engines. */

/** What to do after a failed write. */
export const REOPEN = "Close the database and open it again before you write to it";
