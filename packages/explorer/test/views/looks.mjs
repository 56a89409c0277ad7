/** The look of things: fonts, colours, and room for words. */
import { database } from "../../../../test/browser/compare.mjs";
import { ofNode } from "../support/answers.mjs";
import { settled, unnamedLandmarks, visit } from "../support/pages.mjs";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const NODE_A = "core-0.11/node-a";

/** The newest delta of the lobby. */
const newest = () =>
  ofNode(async (node) => {
    for await (const { id } of node.deltas(LOBBY, { limit: 1 })) return id;
  });

/** The names that are cut, or have no room at all, among those that a selector finds. */
const cut = (page, selector) =>
  page.$$eval(selector, (all) =>
    all
      .filter((one) => one.scrollWidth > one.clientWidth || one.clientWidth === 0)
      .map((one) => one.innerText),
  );

/** A context that three nodes wrote to at once. */
const TALK = "9dedaace103c70dc799dff15f13a993e992989bf3058fb6652174737f6d6bbf6";

/** The context that two deltas, written at the same time, left with a state that no author had. */
const PAPERS = "499f8646f956b9b99ce0158e5fc033f42004cabc0df16f0c6a5924cf64f87b81";

/** The least pixels that a sentence has in a history. */
const narrowestSentence = (page) =>
  page.$$eval(".history-graph .op .sentence", (all) => Math.min(...all.map((one) => one.clientWidth)));

/** True if the tab of the current view is whole: neither beyond an edge nor under the fade at the right one. */
const isTabInSight = (page) =>
  page.$eval(".nav [aria-current]", (tab) => {
    const [inner, outer] = [tab.getBoundingClientRect(), tab.parentElement.getBoundingClientRect()];
    const { maskImage } = getComputedStyle(tab.parentElement);
    const faded = maskImage === "none" ? 0 : 40;
    return inner.left >= outer.left && inner.right <= outer.right - faded;
  });

/** Checks of what a server serves. */
export const served = [
  {
    what: "the labels of the tracks of several nodes are whole at 1280 px",
    databases: ["core-0.11-apps/healed-n2", "core-0.11-apps/parted-n3"],
    address: "#/time",
    async run(page, { ok, equal }) {
      const labels = await page.$$eval(".trk .tl", (all) =>
        all.map((one) => {
          // The longest words that a track can have, as of nodes that were parted for a while.
          if (/behind/.test(one.innerText))
            one.querySelector(".quiet").textContent = "1,017 behind, 108 ahead";
          return one.innerText;
        }),
      );
      ok(labels.includes("parted-n3 1,017 behind, 108 ahead"), labels.join("; "));
      equal(await cut(page, ".trk .tl"), []);
      const cutNames = await page.$$eval(".hatch", (all) =>
        all
          .filter(({ firstElementChild }) => getComputedStyle(firstElementChild).visibility === "visible")
          .filter((one) => one.scrollWidth > one.clientWidth)
          .map((one) => one.innerText),
      );
      equal(cutNames, []);
    },
  },
  {
    what: "the labels of bars do not touch",
    databases: [NODE_A],
    address: "#/ask",
    async run(page, { ok }) {
      for (const width of [1280, 1024, 390]) {
        await page.setViewport({ width, height: 900 });
        await visit(page, "#/overview");
        await visit(page, "#/ask");
        await page.waitForSelector(".chart text");
        const gaps = await page.$$eval(".chart text:not(.v)", (all) => {
          const places = all.map((one) => one.getBoundingClientRect());
          return places.slice(1).map(({ left }, at) => left - places[at].right);
        });
        ok(gaps.length === 3 && gaps.every((gap) => gap > 4), `${width}: ${gaps}`);
      }
    },
  },
  {
    what: "on a phone the sentences of a history with many lanes, and of two histories, have room",
    databases: ["core-0.11-apps/upgraded-n1", "core-0.11-apps/parted-n3"],
    address: "#/compare",
    async run(page, { ok, equal }) {
      await page.setViewport({ width: 390, height: 844 });
      for (const address of [`#/history/context/${TALK}`, `#/compare/context/${TALK}?with=parted-n3`]) {
        await visit(page, address);
        await page.waitForSelector(".history-graph .op .sentence");
        const least = await narrowestSentence(page);
        ok(least >= 150, `${address}: ${least}`);
      }
      await visit(page, "#/checks");
      await page.waitForSelector("::-p-text(177 warnings, 1 remark)");
      const beyond = await page.$$eval(".find .tag", (all) =>
        all.filter((one) => one.getBoundingClientRect().right > innerWidth - 16).map((one) => one.innerText),
      );
      equal(beyond, []);
    },
  },
  {
    what: "on a phone no view of several nodes scrolls sideways, and the tab of each is in sight",
    databases: ["core-0.11-apps/upgraded-n1", "core-0.11-apps/parted-n3"],
    address: "#/live",
    async run(page, { ok, equal }) {
      await page.setViewport({ width: 390, height: 844 });
      await settled(page);
      ok(await isTabInSight(page), "the tab of Live, once the page is narrow");
      const views = await page.$$eval(".nav a", (tabs) => tabs.map((tab) => tab.getAttribute("href")));
      ok(views.length > 8, views.join());
      for (const address of ["#/compare?with=parted-n3", `#/time/context/${PAPERS}`, ...views]) {
        await visit(page, address);
        equal([address, await page.evaluate("document.documentElement.scrollWidth")], [address, 390]);
        ok(await isTabInSight(page), address);
      }
    },
  },
];

const codeIsCode = (scheme) => ({
  what: `code outside of links has its own font, and not the colour of links, ${scheme}`,
  database: NODE_A,
  address: `#/state/${LOBBY}`,
  async run(page, { ok, equal }) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await settled(page);
    const { codes, link, mono } = await page.evaluate(() => ({
      codes: [...document.querySelectorAll("main code, main kbd, main pre, .cmd code, .side kbd")]
        .filter((one) => one.closest("a") === null)
        .map((one) => {
          const { fontFamily, color, fontVariantLigatures } = getComputedStyle(one);
          return { fontFamily, color, fontVariantLigatures };
        }),
      link: getComputedStyle(document.querySelector("main a.id code")).color,
      mono: getComputedStyle(document.documentElement).getPropertyValue("--mono").split(",")[0],
    }));
    ok(codes.length > 50, `${codes.length}`);
    const wrong = codes.filter(
      ({ fontFamily, color, fontVariantLigatures }) =>
        !fontFamily.startsWith(mono) || color === link || fontVariantLigatures !== "none",
    );
    equal(wrong, []);
  },
});

export const checks = [
  {
    what: "the overview at 1280 px has the whole words about the checks, and whole short names",
    database: "core-0.11/log",
    address: "#/overview",
    async run(page, { ok, equal }) {
      await page.waitForFunction(() =>
        /errors.*warnings/.test(document.querySelector(".checks-fact").innerText),
      );
      const [right, edge] = await page.evaluate(() => {
        const words = document.createRange();
        words.selectNodeContents(document.querySelector(".checks-fact"));
        return [words, document.querySelector(".facts")].map((one) => one.getBoundingClientRect().right);
      });
      ok(right <= edge, `${right} of ${edge} px`);
      const names = await page.$$eval(".tree-table .id > span", (all) => all.map((one) => one.innerText));
      ok(names.includes("dev"), names.join("; "));
      equal(
        (await cut(page, ".tree-table .id > span")).filter((name) => name.length < 20),
        [],
      );
    },
  },
  codeIsCode("light"),
  codeIsCode("dark"),
  {
    what: "words come first in a history beside a detail, at 1024 pixels and on a phone",
    database: NODE_A,
    address: `#/history/context/${LOBBY}`,
    async run(page, { ok, equal }) {
      for (const width of [1440, 1280, 1024, 390]) {
        await page.setViewport({ width, height: 900 });
        await visit(page, `#/history/context/${LOBBY}/${await newest()}`);
        const widths = await page.$$eval(".history-graph .op .what", (all) =>
          all.map((one) => one.clientWidth),
        );
        ok(widths.length > 5 && widths.every((one) => one >= 120), `${width}: ${widths}`);
        if (width > 390) equal(await cut(page, ".history-graph .op .sentence"), []);
        const wide = await page.$eval(".history-list", (list) => list.scrollWidth - list.clientWidth);
        equal(wide, 0);
      }
    },
  },
  {
    what: "names come first in the overview, and no text lies over a number",
    database: NODE_A,
    address: "#/overview",
    async run(page, { equal }) {
      for (const width of [1440, 1024]) {
        await page.setViewport({ width, height: 900 });
        await visit(page, "#/overview");
        const long = ["kv_store_with_user_and_frozen_storage"];
        equal(
          (await cut(page, ".tree-table .id > span")).filter((name) => !long.includes(name)),
          [],
        );
        const over = await page.$$eval(".space-table td.wide", (cells) =>
          cells
            .filter((cell) => {
              const words = cell.querySelector(".kind, a");
              const { right } = words.getBoundingClientRect();
              return right > cell.getBoundingClientRect().right || words.scrollWidth > words.clientWidth + 1;
            })
            .map((cell) => cell.innerText),
        );
        equal(over, []);
      }
    },
  },
  {
    what: "the names of areas lie within them",
    database: NODE_A,
    address: "#/overview",
    async run(page, { ok, equal }) {
      for (let width = 1280; width > 1080; width -= 10) {
        await page.setViewport({ width, height: 900 });
        await settled(page);
        const names = await page.$$eval(".treemap text:not(.b)", (all) =>
          all.map((one) => {
            const cell = one.parentElement.querySelector(".cell").getBoundingClientRect();
            return [one.textContent, one.getBoundingClientRect().right <= cell.right];
          }),
        );
        ok(names.length > 1, `${width}: ${names}`);
        equal([width, names.filter(([, isWithin]) => !isWithin)], [width, []]);
      }
    },
  },
  {
    what: "a selected row looks selected under the pointer",
    database: NODE_A,
    address: "#/rows/ContextMeta",
    async run(page, { equal, ok }) {
      const key = await page.$eval(".grid tbody tr[aria-rowindex]", (row) => {
        row.click();
        return row.id;
      });
      await settled(page);
      const selected = await page.waitForSelector('.grid tr[aria-selected="true"]');
      equal(await unnamedLandmarks(page), []);
      equal(await page.evaluate("document.documentElement.scrollHeight - innerHeight"), 0);
      const ground = () => selected.$eval("td", (cell) => getComputedStyle(cell).backgroundColor);
      await page.mouse.move(0, 0);
      const before = await ground();
      await selected.hover();
      equal(await ground(), before);
      const other = await page.$('.grid tbody tr[aria-rowindex]:not([aria-selected="true"]) td');
      ok(before !== (await other.evaluate((cell) => getComputedStyle(cell).backgroundColor)), key);
    },
  },
  {
    what: "the question for a key has room for 96 digits",
    address: "#/open",
    async run(page, { ok }) {
      const input = await page.waitForSelector("input[type=file]");
      await input.uploadFile(database("core-0.11/encrypted"));
      await page.waitForSelector("dialog input[type=password]");
      for (const width of [1440, 1024]) {
        await page.setViewport({ width, height: 900 });
        const room = await page.$eval("dialog input[type=password]", (field) => {
          field.value = "4".repeat(96);
          const { scrollWidth, clientWidth } = field;
          field.value = "";
          return clientWidth - scrollWidth;
        });
        ok(room >= 0, `${width}: ${room}`);
      }
    },
  },
];
