/** The selection in a state. Private data never enters the address: the browser keeps addresses. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf, closeTo, go, place } from "../../page/address.js";
import type { StateRow } from "./tree-lines.js";

/** The chosen row of private data, if any. */
const chosenPrivate = signal<{ readonly contextId: string; readonly row: StateRow } | undefined>(undefined);

/** The choice. */
export interface StateChoice {
  readonly hasChoice: boolean;
  /** The key of the chosen row, if it is known without an answer. */
  readonly key: string | undefined;
  /** The wanted part. */
  readonly wanted: {
    readonly entity: string | undefined;
    readonly path: string;
    readonly struct: string | undefined;
  };
  choosePrivate(row: StateRow): void;
  /** Ends the choice. Returns whether there was one. */
  leave(): boolean;
}

/** The choice in the state of a context. */
export function useChoice(contextId: string, revealed: boolean): StateChoice {
  const { entity, at = "", delta } = place.value.options;
  const isInAddress = at !== "" || entity !== undefined;
  const kept = chosenPrivate.value;
  const chosen = revealed && kept?.contextId === contextId ? kept.row : undefined;
  // The newer choice counts. The choice of private data is dropped when it is hidden or left.
  useEffect(() => {
    if (isInAddress || !revealed) chosenPrivate.value = undefined;
  }, [entity, at, revealed]);
  useEffect(
    () => () => {
      chosenPrivate.value = undefined;
    },
    [],
  );
  const withoutChoice = addressOf("state", [contextId], { delta });
  return {
    hasChoice: isInAddress || chosen !== undefined,
    key: chosen?.key ?? (at === "" ? undefined : at),
    wanted:
      chosen === undefined
        ? { entity, path: at, struct: undefined }
        : { entity: chosen.entity?.id, path: chosen.path, struct: chosen.struct },
    choosePrivate(row) {
      chosenPrivate.value = { contextId, row };
      if (isInAddress) go(withoutChoice);
    },
    leave() {
      if (!isInAddress && chosen === undefined) return false;
      chosenPrivate.value = undefined;
      if (isInAddress) closeTo(withoutChoice);
      return true;
    },
  };
}
