/** The order of a group's log: the parents of an operation are logged before it. */

import { IdTable } from "../../bytes/id-table.js";
import { anyGroupOp } from "../../digests/index.js";
import { GroupOpLog } from "../../keys/index.js";
import { RESTORE } from "../advice.js";
import { runsById } from "../batches.js";
import { on, type Rule } from "../rule.js";
import { since010 } from "../since.js";

export const logOrder: Rule = {
  name: "group-log-order",
  relations: [39, 40],
  severity: "error",
  says: "A logged operation comes after those that it follows.",
  means:
    "Operations have each other's places in the group's log. The log does not tell in which order they were applied.",
  advice: RESTORE,
  checks: [
    on(since010, GroupOpLog, async function* (batches, tools) {
      // Parents that are not logged before their child: they may be in another node's log or in the namespace, or come
      // later here.
      let wanted = new IdTable();
      let logged = new IdTable();
      for await (const { rows, begins } of runsById(batches, ({ key }) => key.groupId)) {
        if (begins) {
          wanted = new IdTable();
          logged = new IdTable();
        }
        for (const {
          key,
          value: { value },
        } of rows) {
          if (value === undefined) continue;
          tools.checked();
          const id = anyGroupOp.id(value);
          const message = "an operation that follows this one is logged before it";
          if (wanted.has(id)) yield { key, message, found: id };
          for (const parent of value.parentOpHashes) if (!logged.has(parent)) wanted.add(parent);
          logged.add(id);
        }
      }
    }),
  ],
};
