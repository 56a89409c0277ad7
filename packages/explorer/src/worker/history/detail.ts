/** Everything about one operation or delta. */
import { type Delta, graphId, type HistoryGraph, type Named, operationFields } from "merostore/node";
import type { StateChange, StateHistory } from "merostore/state";
import type { Database } from "../database/database.js";
import { changeWords, type Word } from "../database/words.js";
import { stateHistoryOf } from "../state/context-changes.js";
import { deltaRow, type HistoryOf, type HistoryRow, operationRow, operationsAt, wordsOf } from "./rows.js";
import { type StoredRow, storedRow } from "./stored-row.js";

/** The most parents, followers and actions that are listed. */
const LISTED = 60;
/** The most parents and followers that are put into words. */
const WORDED = 12;

/** A row that another one follows, or that follows it. */
export interface Relative {
  readonly id: string;
  /** Undefined for a row that is not in the database. */
  readonly row: number | undefined;
  readonly words: readonly Word[] | undefined;
}

/** A change of one entity by a delta. */
export interface ActionInWords {
  readonly kind: string;
  readonly entity: string;
  /** Bytes of the new content. */
  readonly size: number;
  readonly words: readonly Word[];
}

/** A row of a history with all its facts. */
export interface HistoryDetail extends HistoryRow {
  readonly row: number;
  readonly marks: number;
  /** The place of its row; undefined if it is gone. */
  readonly stored: StoredRow | undefined;
  readonly parents: readonly Relative[];
  readonly parentCount: number;
  readonly followers: readonly Relative[];
  readonly followerCount: number;
  /** The actions of a delta; undefined for operations, and if the delta does not decode. */
  readonly actions: readonly ActionInWords[] | undefined;
  readonly actionCount: number;
  /** The names of the events that a delta emitted, or why they are unknown. */
  readonly events: readonly string[] | string;
  /**
   * For an operation: whether it can be read, its fields as JSON, the key that signed it, and the key that encrypts it.
   */
  readonly operation:
    | {
        readonly state: string;
        readonly fields: string | undefined;
        readonly signer: string;
        readonly keyId: string | undefined;
        readonly group: Named;
      }
    | undefined;
}

/** Everything about a row. */
export async function detailOf(
  database: Database,
  of: HistoryOf,
  graph: HistoryGraph,
  row: number,
): Promise<HistoryDetail> {
  const id = graphId(graph, row);
  const changes = of === "context" ? await stateHistoryOf(database, graph.of.id) : undefined;
  const relatives = await relativesOf(database, of, graph, row, changes);
  const storedWith = (sequence: bigint | undefined) =>
    storedRow(database, { of, within: graph.of.id, id, sequence });
  const base = { row, marks: graph.marks[row] as number, ...relatives };
  if (of === "context") {
    const [delta] = await database.node.deltasOf(graph.of.id, [id]);
    const what = await changes?.changes(id);
    return {
      ...base,
      ...deltaRow(graph, row, delta, what),
      stored: await storedWith(undefined),
      actions: delta?.actions && actionsInWords(delta, graph.of.id, what ?? []),
      actionCount: delta?.actions?.length ?? 0,
      events:
        typeof delta?.events === "string"
          ? delta.events
          : [...new Set(delta?.events.map(({ name }) => name))].slice(0, LISTED),
      operation: undefined,
    };
  }
  const [operation] = await operationsAt(database, of, graph, [id]);
  const fields = operation && operationFields(operation);
  return {
    ...base,
    ...operationRow(graph, row, operation),
    stored: await storedWith(operation?.sequence),
    actions: undefined,
    actionCount: 0,
    events: [],
    operation: operation && {
      state: operation.state,
      fields: fields === undefined ? undefined : JSON.stringify(fields, undefined, 2),
      signer: operation.signer,
      keyId: operation.keyId,
      group: operation.group,
    },
  };
}

async function relativesOf(
  database: Database,
  of: HistoryOf,
  graph: HistoryGraph,
  row: number,
  changes: StateHistory | undefined,
): Promise<Pick<HistoryDetail, "parents" | "parentCount" | "followers" | "followerCount">> {
  const { parents, parentsFrom, size } = graph;
  const up = [...parents.subarray(parentsFrom[row], parentsFrom[row + 1])];
  const down: number[] = [];
  for (let other = 0; other < size; other++)
    for (let edge = parentsFrom[other] as number; edge < (parentsFrom[other + 1] as number); edge++)
      if (parents[edge] === row) down.push(other);
  const inWords = async (rows: readonly number[]): Promise<readonly Relative[]> => {
    const listed = rows.slice(0, LISTED);
    const here = listed.filter((one) => one < size).slice(0, WORDED);
    const told = await wordsOf(database, of, graph, here, changes);
    return listed.map((one) => ({
      id: graphId(graph, one),
      row: one < size ? one : undefined,
      words: told[here.indexOf(one)]?.words,
    }));
  };
  return {
    parents: await inWords(up),
    parentCount: up.length,
    followers: await inWords(down),
    followerCount: down.length,
  };
}

/** Each action of a delta in words, if the changes tell it. */
function actionsInWords(
  { actions = [] }: Delta,
  context: string,
  changes: readonly StateChange[],
): readonly ActionInWords[] {
  const byEntity = new Map<string, StateChange[]>();
  for (const change of changes) byEntity.set(change.entity, [...(byEntity.get(change.entity) ?? []), change]);
  return actions.slice(0, LISTED).map(({ kind, entity, field, size }) => {
    const told = (byEntity.get(entity) ?? []).flatMap((change) => {
      const words = changeWords(change);
      return words === undefined ? [] : [words];
    });
    const plain: readonly Word[] =
      entity === context
        ? ["the root of the tree"]
        : field === undefined
          ? ["an entity"]
          : ["field ", { code: field }];
    const words =
      told.length === 0 ? plain : told.slice(0, 3).flatMap((one, at) => (at === 0 ? one : ["; ", ...one]));
    return { kind, entity, size, words };
  });
}
