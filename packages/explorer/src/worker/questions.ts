/** The questions that views ask of a database. Each answers with plain values, which are copied to the page. */
import { bothStates } from "./both-states.js";
import { checks, rules } from "./checks.js";
import { colourTexts } from "./colours.js";
import { compare } from "./compare.js";
import { counts } from "./counts.js";
import { follow } from "./follow.js";
import { namespacesOf } from "./group-tree.js";
import { group, groupLog, groupOrigins } from "./groups.js";
import { histories } from "./histories.js";
import { history, historyAt, historyDetail, historyRows } from "./history.js";
import { newestRows } from "./history-rows.js";
import { mergedHistory, mergedRows } from "./merged-history.js";
import { overview } from "./overview.js";
import { ownKeys } from "./own-keys.js";
import { rowCounts } from "./row-counts.js";
import { rowDetail } from "./row-detail.js";
import { rowPage, rowPlace, rows } from "./rows.js";
import { search } from "./search.js";
import { stateChildren, stateContexts, stateRoot, stateSurvey } from "./state.js";
import { entityDeltas, stateDelta, stateEntity } from "./state-entity.js";
import { stateSearch } from "./state-search.js";
import { giveManifest } from "./state-source.js";
import { timeAt, timeDiff, timeLife, timeline, timePosition, timeText, timeVerdict } from "./time.js";
import { told } from "./told.js";
import { why } from "./why.js";

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
