/** The same person has the same name and the same colour in every view. */
import { texts } from "../support/answers.mjs";
import { textOf, visit } from "../support/pages.mjs";

const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";

/** Names, or digits of ids, with their colours: `Zoë au-3`. */
const people = (page, selector) =>
  page.$$eval(`${selector} .author`, (all) =>
    all.map((one) => {
      const name = one.querySelector(".id > span, .author-name") ?? one.querySelector("code") ?? one;
      return `${name.innerText.trim()} ${one.className.replace("author ", "")}`;
    }),
  );

export const checks = [
  {
    what: "people have one name and one colour in groups, histories and the state",
    database: "core-0.11/node-a",
    address: `#/groups/${OFFICE}`,
    async run(page, { equal, ok }) {
      await page.waitForSelector(".members tbody tr");
      const wanted = ["38ec7407 au-2", "Zoë au-3", "this node au-1"];
      equal((await people(page, ".members")).toSorted(), wanted);
      const since = await texts(page, ".members tbody td:last-child");
      ok(
        since.filter((text) => /\bbefore 2026-11-21 \d\d:\d\d:\d\d$/.test(text)).length === 3,
        since.join("; "),
      );
      for (const hash of [`#/history/context/${LOBBY}`, `#/history/namespace/${OFFICE}`]) {
        await visit(page, hash);
        const found = (await people(page, ".legend")).filter((one) => !one.startsWith("no author"));
        equal(found.toSorted(), wanted);
      }
      const rows = await texts(page, ".history-graph .time");
      ok(rows.length > 10 && rows.every((text) => /^before 2026-11-21 \d\d:\d\d:\d\d$/.test(text)), rows[0]);
      await visit(page, `#/history/context/${LOBBY}`);
      const listed = new Set(await people(page, ".history-graph .op"));
      ok(listed.has("Zoë au-3") && listed.has("38ec7407 au-2"), [...listed].join());
      await visit(page, `#/state/${LOBBY}?at=${encodeURIComponent('items["c1"]')}`);
      ok((await people(page, ".detail")).includes("Zoë au-3"), await textOf(page, ".detail"));
    },
  },
  {
    what: "entries stand in the order in which people count",
    database: "core-0.11/node-a",
    address: `#/state/${LOBBY}`,
    async run(page, { equal }) {
      const names = await texts(page, "table.stt tbody tr td:first-child");
      const keys = names.filter((name) => /^a\d+$/.test(name)).slice(0, 12);
      const numbers = keys.map((key) => Number(key.slice(1)));
      equal(
        numbers,
        numbers.toSorted((a, b) => a - b),
      );
    },
  },
];
