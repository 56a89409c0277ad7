/** A row that decodes. */
export interface GoodRow<K, V> {
  readonly key: K;
  readonly value: V;
}
