/** Lines that are longer than a terminal is wide. */

/** The least part of a line that an indented rest may use. */
const LEAST = 0.5;
/** The indentation of a rest that cannot stand below its cell. */
const INDENT = 6;

/**
 * Breaks lines that are too long, at commas and spaces. The rest stands below the last cell of the line if there is room,
 * else a little indented. Lines are whole without a width.
 */
export function fitted(lines: readonly string[], width: number | undefined): readonly string[] {
  return width === undefined ? lines : lines.flatMap((line) => fitLine(line, width));
}

function fitLine(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const cell = line.lastIndexOf("  ") + 2;
  const indent = " ".repeat(cell > 1 && cell <= width * LEAST ? cell : Math.min(INDENT, width >> 2));
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const end = breakAt(rest, width, lines.length === 0 ? 0 : indent.length);
    lines.push(rest.slice(0, end).trimEnd());
    rest = indent + rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** After the last comma that fits, else after the last space, else where the line ends. */
function breakAt(text: string, width: number, indent: number): number {
  const ends = [text.lastIndexOf(", ", width - 1) + 1, text.lastIndexOf(" ", width)];
  return ends.find((end) => end > indent + (width - indent) / 3) ?? width;
}
