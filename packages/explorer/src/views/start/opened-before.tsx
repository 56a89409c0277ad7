/** The databases that were opened before, by name: a page cannot open a folder again by itself. */
import type { OpenedDatabase } from "../../page/worker-client.js";
import { Text } from "../../parts/text.js";

const KEPT = "merostore-opened";
/** Databases that are listed. */
const MOST = 5;

type Remembered = Pick<OpenedDatabase, "name" | "location" | "revision">;

/** Puts a database at the top of the list. */
export function rememberOpened({ name, location, revision }: OpenedDatabase): void {
  const others = openedBefore().filter((one) => one.location !== location);
  try {
    localStorage.setItem(KEPT, JSON.stringify([{ name, location, revision }, ...others].slice(0, MOST)));
  } catch {
    // The browser stores nothing for this page.
  }
}

function openedBefore(): readonly Remembered[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRemembered) : [];
  } catch {
    return [];
  }
}

function isRemembered(kept: unknown): kept is Remembered {
  if (typeof kept !== "object" || kept === null) return false;
  const { name, location, revision } = kept as Record<string, unknown>;
  return [name, location, revision].every((text) => typeof text === "string");
}

export function OpenedBefore() {
  const before = openedBefore();
  return (
    <section>
      <h2>Opened before</h2>
      {before.length === 0 ? (
        <p class="second">
          Nothing yet. Databases that you open here are listed by name and path, so that you find them again;
          this page keeps no row of them.
        </p>
      ) : (
        <ul class="plainlist">
          {before.map(({ name, location, revision }) => (
            <li key={location}>
              <b>
                <Text value={name} most={40} />
              </b>{" "}
              <span class="quiet">
                <Text value={location} most={80} />, {revision}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
