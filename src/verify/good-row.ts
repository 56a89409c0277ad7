/** A row that decodes. */
export interface GoodRow<K, V> {
  /** The key, as an object of its class. */
  readonly key: K;
  /** The decoded value. */
  readonly value: V;
}
