/** The page: the view of the address, or the way to open a database. */

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { addressOf, place } from "../page/address.js";
import { openServed } from "../page/served.js";
import { database, lossQuestion } from "../page/session.js";
import { Empty } from "../parts/states.js";
import { Text } from "../parts/text.js";
import { View } from "../parts/view.js";
import { Ask } from "../views/ask/ask.js";
import { Checks } from "../views/checks/checks.js";
import { Compare } from "../views/compare/compare.js";
import { Fleet } from "../views/fleet/fleet.js";
import { Groups } from "../views/groups/groups.js";
import { History } from "../views/history/history.js";
import { Live } from "../views/live/live.js";
import { Overview } from "../views/overview/overview.js";
import { Rows } from "../views/rows/rows.js";
import { Search } from "../views/search/search.js";
import { Start } from "../views/start/start.js";
import { State } from "../views/state/state.js";
import { Time } from "../views/time/time.js";
import { AskForKey } from "./ask-for-key.js";
import { Dialog } from "./dialog.js";
import { KeyboardHelp, listenToKeys } from "./keyboard.js";
import { RevealSecrets } from "./reveal-secrets.js";
import { Shell } from "./shell.js";
import type { ViewName } from "./views.js";

/** The page of each view. */
const pages: Readonly<Record<ViewName | "search", () => JSX.Element>> = {
  overview: Overview,
  groups: Groups,
  history: History,
  state: State,
  time: Time,
  rows: Rows,
  ask: Ask,
  checks: Checks,
  compare: Compare,
  fleet: Fleet,
  live: Live,
  search: Search,
};

export function App() {
  useEffect(listenToKeys, []);
  useEffect(() => void openServed(), []);
  const { view } = place.value;
  if (database.value === undefined || view === "open")
    return (
      <>
        <Start />
        <AskForKey />
        <AskForLoss />
      </>
    );
  const name = view || "overview";
  const Page = Object.hasOwn(pages, name) ? pages[name as keyof typeof pages] : Missing;
  return (
    <>
      <Shell>
        <Page key={view} />
      </Shell>
      <RevealSecrets />
      <AskForKey />
      <AskForLoss />
      <KeyboardHelp />
    </>
  );
}

function Missing() {
  return (
    <View title="Nothing here">
      <Empty heading="This address leads nowhere.">
        <p>It may be from another version of this page.</p>
        <a class="btn" href={addressOf("overview")}>
          Go to the overview
        </a>
      </Empty>
    </View>
  );
}

/** The question, while it is asked. */
function AskForLoss() {
  const question = lossQuestion.value;
  if (question === undefined) return null;
  return (
    <Dialog title="Write-ahead logs are missing" onClose={() => question.answer(false)}>
      <p>
        <Text value={question.loss} />
      </p>
      <p>
        <b>The newest rows may be only in them.</b> Without the logs the page shows an older state, and rows
        that were deleted may be there again.
      </p>
      <div class="actions">
        <button type="button" class="btn" onClick={() => question.answer(false)}>
          Do not open
        </button>
        <button type="button" class="btn primary" onClick={() => question.answer(true)}>
          Open without the missing logs
        </button>
      </div>
    </Dialog>
  );
}
