/** The space of the rows of a table that are not in sight. */

/** A row of a table without content. */
export function GapRow({ height, columns = 1 }: { height: number; columns?: number }) {
  if (height <= 0) return null;
  return (
    <tr class="gap-row">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  );
}
