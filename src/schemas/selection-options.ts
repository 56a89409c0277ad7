/** The options of functions that take a selection of rows. */
import type { OptionCheck, OptionChecks } from "../options.js";
import { areIds, isId, type RowSelection } from "./selection.js";

const areNames: OptionCheck = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === "string") ? undefined : "a list of strings";

/** @internal The options of a function that takes a selection and names of column families. */
export const selectionOptions: OptionChecks<RowSelection & { columns?: readonly string[] | undefined }> = {
  columns: areNames,
  contextId: isId,
  groupId: isId,
  memberIds: areIds,
};
