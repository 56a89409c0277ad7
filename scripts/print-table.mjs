/** Prints rows of texts in columns, numbers to the right. The first row is the head. */
export function printTable(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  const padded = (text, at) => (/^\d+$/.test(text) ? text.padStart(widths[at]) : text.padEnd(widths[at]));
  for (const row of rows) console.log(`  ${row.map(padded).join("  ").trimEnd()}`);
}
