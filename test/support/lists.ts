/** All items of what is iterated, in their order. */
export async function listOf<T>(items: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
