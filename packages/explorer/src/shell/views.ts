/** The views of a database, in the order of the navigation. */

export const views = [
  { name: "overview", words: "Overview", hasGap: false },
  { name: "groups", words: "Groups", hasGap: false },
  { name: "history", words: "History", hasGap: false },
  { name: "state", words: "State", hasGap: false },
  { name: "time", words: "Time", hasGap: false },
  { name: "rows", words: "Rows", hasGap: false },
  { name: "ask", words: "Ask", hasGap: false },
  { name: "checks", words: "Checks", hasGap: true },
  { name: "compare", words: "Compare", hasGap: false },
  { name: "fleet", words: "Fleet", hasGap: false },
  { name: "live", words: "Live", hasGap: false },
] as const;

/** The name of a view. */
export type ViewName = (typeof views)[number]["name"];
