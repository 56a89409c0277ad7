/** Caches elements while the facts that they are made from stay the same. Scrolling then draws only new elements. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";

/** The most elements that are kept. */
const MOST = 400;

interface Kept {
  readonly facts: readonly unknown[];
  readonly element: JSX.Element;
}

/** Elements by a key. */
export interface Made<K> {
  /** The element of a key, made again if one of the facts changed. */
  get(key: K, facts: readonly unknown[], make: () => JSX.Element): JSX.Element;
}

/** Keeps the elements of a list. */
export function useMade<K>(): Made<K> {
  const kept = useRef(new Map<K, Kept>());
  return {
    get(key, facts, make) {
      const before = kept.current.get(key);
      if (before?.facts.every((fact, at) => fact === facts[at])) return before.element;
      if (kept.current.size >= MOST) kept.current.clear();
      const element = make();
      kept.current.set(key, { facts, element });
      return element;
    },
  };
}
