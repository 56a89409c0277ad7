/** Capabilities in words. */

/** `create contexts, invite members`, with the names of the bits for those who know them. */
export function May({ may }: { may: readonly string[] }) {
  if (may.length === 0) return <>nothing more</>;
  return <span title={may.join(", ")}>{mayWords(may)}</span>;
}

/** The capabilities as text. */
export function mayWords(may: readonly string[]): string {
  return may
    .map((name) =>
      /^[A-Z_]+$/.test(name)
        ? name
            .replace(/^CAN_/, "")
            .toLowerCase()
            .replaceAll("_", " ")
            .replace(/(context|subgroup|member)$/, "$1s")
        : name,
    )
    .join(", ");
}
