/** The databases that `merostore explore` serves with the page, and the token that reads them. */

import { addressOf, go, place } from "./address.js";
import { membersOf } from "./fleet.js";
import { messageOf } from "./message-of.js";
import { addNodes, open, openFailure } from "./session.js";
import { type DatabaseSource, servedSources } from "./worker-client.js";

const KEPT = "merostore-token";

/**
 * The token of the printed address. The page removes it from the address at once, so that no bookmark has it, and
 * stores it for its origin, so that the page can be loaded again or opened in another tab. Other origins, which include
 * other ports of this machine, do not see it. It is worthless when its server has ended.
 */
function takeToken(): string | undefined {
  const given = /^#token=([0-9a-f]+)$/.exec(location.hash)?.[1];
  try {
    if (given !== undefined) localStorage.setItem(KEPT, given);
    else return localStorage.getItem(KEPT) ?? undefined;
  } catch {
    // The browser stores nothing for this page.
  }
  if (given !== undefined) go(addressOf("overview"), { replace: true });
  return given;
}

const token = takeToken();

/**
 * Opens the databases that are served with the page: one, two to compare, or a fleet. None if the page came from
 * elsewhere.
 */
export async function openServed(): Promise<void> {
  if (token === undefined) return;
  try {
    const served = await servedSources(token);
    if (served.length === 0) return;
    addNodes(served);
    // An address may name the database to show.
    const named = membersOf(served).findIndex(({ name }) => name === place.value.options.of);
    const first = Math.max(named, 0);
    await open("a", served[first] as DatabaseSource);
    if (served.length === 1) return;
    if (served.length === 2) await open("b", served[1 - first] as DatabaseSource);
    if (place.value.view === "overview")
      go(addressOf(served.length === 2 ? "compare" : "fleet"), { replace: true });
  } catch (error) {
    openFailure.value = messageOf(error);
  }
}
