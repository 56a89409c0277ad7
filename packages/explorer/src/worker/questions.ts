/** The questions that views ask of a database. Each answers with plain values, which are copied to the page. */

import { checks, rules } from "./checks.js";
import { compare } from "./compare/compare.js";
import { why } from "./compare/why.js";
import { colourTexts } from "./database/colours.js";
import { namespacesOf } from "./database/group-tree.js";
import { follow } from "./follow.js";
import { counts } from "./groups/counts.js";
import { group, groupLog, groupOrigins } from "./groups/groups.js";
import { overview } from "./groups/overview.js";
import { ownKeys } from "./groups/own-keys.js";
import { histories } from "./history/histories.js";
import { history, historyAt, historyDetail, historyRows } from "./history/history.js";
import { mergedHistory, mergedRows } from "./history/merged.js";
import { newestRows } from "./history/rows.js";
import { timeAt, timeDiff, timeLife, timeline, timePosition, timeText, timeVerdict } from "./past/time.js";
import { told } from "./past/told.js";
import { rowCounts } from "./rows/counts.js";
import { rowDetail } from "./rows/detail.js";
import { rowPage, rowPlace, rows } from "./rows/rows.js";
import { search } from "./rows/search.js";
import { bothStates } from "./state/both-states.js";
import { entityDeltas, stateDelta, stateEntity } from "./state/entity.js";
import { stateSearch } from "./state/search.js";
import { giveManifest } from "./state/source.js";
import { stateChildren, stateContexts, stateRoot, stateSurvey } from "./state/state.js";

export const questions = {
  checks,
  colourTexts,
  counts,
  follow,
  group,
  groupLog,
  groupOrigins,
  groups: namespacesOf,
  histories,
  history,
  historyAt,
  historyDetail,
  historyRows,
  newestRows,
  overview,
  rowDetail,
  rowPage,
  rowPlace,
  ownKeys,
  rowCounts,
  rows,
  rules,
  search,
  entityDeltas,
  stateChildren,
  stateContexts,
  stateDelta,
  stateEntity,
  stateManifest: giveManifest,
  stateRoot,
  stateSearch,
  stateSurvey,
  timeAt,
  timeDiff,
  timeLife,
  timeline,
  timePosition,
  timeText,
  timeVerdict,
  told,
};

/** The questions that views ask of two databases. */
export const questionsOfBoth = { bothStates, compare, mergedHistory, mergedRows, why };
