/** Questions to begin with. */

/** A question, and how its answer is shown. */
export interface Template {
  readonly words: string;
  readonly statement: string;
  readonly form: "table" | "bars" | "line";
}

/** The questions, in the order of the list. `{node}` stands for the column that names the database of a row. */
const templates: readonly Template[] = [
  {
    words: "Deltas by author and hour",
    statement: `select strftime("time"::timestamp, '%m-%d %H:00') as hour,
       {node}coalesce(author, authorId[:8]) as author,
       count(*) as deltas
from deltas
where not checkpoint
group by all
order by hour, author`,
    form: "bars",
  },
  {
    words: "Bytes by context",
    statement: `select coalesce(context, contextId[:8]) as context,
       {node}bytes, rowCount, deltaCount
from contexts
order by bytes desc`,
    form: "bars",
  },
  {
    words: "Contexts changed since",
    statement: `select coalesce(context, contextId[:8]) as context,
       {node}count(*) as deltas, max("time") as last
from deltas
where "time" > '2026-01-01'
group by all
order by last desc`,
    form: "table",
  },
  {
    words: "Rights of members",
    statement: `select groupName, {node}member, role, capabilities
from members
order by groupName, role, member`,
    form: "table",
  },
  {
    words: "Members of each group",
    statement: `select coalesce(groupName, groupId[:8]) as "group",
       {node}role, count(*) as people
from members
group by all
order by "group", role`,
    form: "bars",
  },
  {
    words: "Largest values",
    statement: `select coalesce(context, contextId[:8]) as context,
       {node}path, length(value) as characters, value[:80] as beginning
from entries
order by characters desc
limit 20`,
    form: "table",
  },
  {
    words: "Operations by day",
    statement: `select coalesce("before", "after")[:10] as day,
       {node}count(*) as operations
from log
where kind <> 'delta'
group by all
order by day`,
    form: "bars",
  },
  {
    words: "Deltas that wait",
    statement: `select coalesce(context, contextId[:8]) as context,
       {node}deltaId[:8] as delta, "time", missing
from deltas
where not applied or len(missing) > 0
order by "time"`,
    form: "table",
  },
  {
    words: "Bytes of deltas over time",
    statement: `select strftime("time"::timestamp, '%m-%d %H:%M:%S') as second,
       {node}sum(bytes)::bigint as bytes
from deltas
where not checkpoint
group by all
order by second`,
    form: "line",
  },
  {
    words: "Contexts of each application",
    statement: `select coalesce(application, 'unknown') as application,
       {node}count(*) as contexts, sum(bytes)::bigint as bytes
from contexts
group by all
order by contexts desc`,
    form: "table",
  },
];

/** The questions for one database; for several, with a column that names the database of each row. */
export function templatesFor(isOfSeveral: boolean): readonly Template[] {
  return templates.map((one) => ({
    ...one,
    statement: one.statement.replace("{node}", isOfSeveral ? "node, " : ""),
  }));
}

/** A statement in its form for one database or for several. A statement that is not in the list stays as it is. */
export function statementFor(isOfSeveral: boolean, statement: string): string {
  const at = templatesFor(!isOfSeveral).findIndex((one) => one.statement === statement);
  return templatesFor(isOfSeveral)[at]?.statement ?? statement;
}
