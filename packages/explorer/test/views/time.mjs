/** The past: the line over a history by keys and by pointer, what was there then, and two moments side by side. */
import { ofNode } from "../support/answers.mjs";
import { settled, textOf, visit } from "../support/pages.mjs";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";
const NODE_A = "core-0.11/node-a";

const valueNow = (page) =>
  page.$eval("[role=slider]", (slider) => Number(slider.getAttribute("aria-valuenow")));

/** Presses keys on the line, and waits until what was there then is drawn. */
async function press(page, ...keys) {
  await page.focus("[role=slider]");
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
}

/** Waits until the address has the moment: it follows when the line stands still. */
const addressed = (page, what) => page.waitForFunction((part) => location.hash.includes(part), {}, what);

const names = (page) => page.$$eval(".tmt tbody code", (all) => all.map((one) => one.textContent));

export const checks = [
  {
    what: "keys move the line over a context’s history, and the page says what was there and who wrote it",
    database: NODE_A,
    address: `#/time/context/${LOBBY}`,
    async run(page, { equal, ok }) {
      equal(await valueNow(page), 155);
      ok((await textOf(page)).includes("148 entries. Nothing follows"));
      await press(page, "Home");
      equal(await valueNow(page), 1);
      await press(page, ...Array.from({ length: 7 }, () => "PageUp"), "ArrowRight", "ArrowUp");
      equal(await valueNow(page), 73);
      const text = await textOf(page);
      ok(
        /after delta 73 of 155, there were \d+ entries\. 82 deltas follow/.test(text.replace(/\s+/g, " ")),
        text,
      );
      ok(text.includes("is what its author had"), text.slice(0, 300));
      const said = await page.$eval("[role=slider]", (slider) => slider.getAttribute("aria-valuetext"));
      ok(/^\d\d:\d\d:\d\d\.\d{3}, delta 73 of 155, \d+ entries$/.test(said), said);
      const delta = await ofNode(async (node) => {
        const all = [];
        for await (const { id } of node.deltas(LOBBY)) all.push(id);
        return all.toReversed()[72];
      });
      await addressed(page, delta);
      ok((await textOf(page, ".step")).includes(delta.slice(0, 8)));
      const [first] = await names(page);
      ok((await textOf(page, ".step")).includes(first), first);
      ok(
        (await page.$eval(".cmd code", (code) => code.textContent)).includes(
          `--at ${delta.slice(0, 8)} --blame`,
        ),
      );
      await press(page, "End");
      equal(await valueNow(page), 155);
      await press(page, "ArrowLeft");
      equal(await valueNow(page), 154);
      await page.keyboard.down("Shift");
      await press(page, "ArrowLeft");
      await page.keyboard.up("Shift");
      const fork = await valueNow(page);
      ok(fork > 1 && fork < 60, `${fork}`);
    },
  },
  {
    what: "an address leads to its moment; removed entries stay, struck through, with their lives",
    database: NODE_A,
    address: `#/time/context/${LOBBY}?at=60`,
    async run(page, { equal, ok }) {
      equal(await valueNow(page), 60);
      const gone = await page.$$eval(".tmt .gone", (rows) => rows.map((row) => row.textContent));
      equal(gone.length, 3);
      ok(gone.every((text) => text.includes("removed")));
      await page.click(".tmt .gone");
      await settled(page);
      const life = await textOf(page, ".blame");
      ok(/set to “first \d”[\s\S]*removed by/.test(life), life);
      await page.click(".blame .link");
      await settled(page);
      ok((await valueNow(page)) < 30);
      await page.type(".past-bar input", "a1");
      await settled(page);
      const shown = await names(page);
      ok(shown.length > 0 && shown.every((name) => name.includes("a1")), shown.join());
    },
  },
  {
    what: "a pinned moment beside another one: what was added, removed and changed",
    database: NODE_A,
    address: `#/time/context/${LOBBY}?at=30`,
    async run(page, { ok }) {
      await (await page.waitForSelector("::-p-text(Pin this moment)")).click();
      await press(page, "End");
      const text = (await textOf(page, ".side-col")).replace(/\s+/g, " ");
      ok(/125 deltas/.test(text) && /3 removed/.test(text) && /\d+ added/.test(text), text);
      await addressed(page, "pin=");
      const hash = await page.evaluate("location.hash");
      await visit(page, "#/overview");
      await visit(page, hash);
      ok((await textOf(page, ".side-col")).includes("125 deltas"));
    },
  },
  {
    what: "the pointer drags the line, and the page never waits",
    database: NODE_A,
    address: `#/time/context/${LOBBY}`,
    async run(page, { ok, equal }) {
      const { x, y, width } = await (await page.$(".trk.big .strip")).boundingBox();
      await page.mouse.move(x + width - 2, y + 30);
      await page.mouse.down();
      for (let part = 0; part <= 40; part++) await page.mouse.move(x + width * (1 - part / 40), y + 30);
      await page.mouse.up();
      await settled(page);
      equal(await valueNow(page), 1);
      ok((await textOf(page)).includes("after delta 1 of 155"));
      await page.click("::-p-text(Play)");
      await page.waitForFunction(
        () => Number(document.querySelector("[role=slider]").getAttribute("aria-valuenow")) > 5,
      );
      await page.click("::-p-text(Pause)");
    },
  },
  {
    what: "a node that joined says from when on something is known",
    database: "core-0.11/node-b",
    address: `#/time/context/${LOBBY}`,
    async run(page, { equal, ok }) {
      ok((await textOf(page)).includes("nothing is known: the node joined from a snapshot"));
      ok((await page.$eval(".hatch", (hatch) => hatch.title)).startsWith("not known"));
      await press(page, "Home");
      equal(await valueNow(page), 0);
      ok((await textOf(page)).includes("Before the first delta that is here, there were 26 entries"));
    },
  },
  {
    what: "a group’s members and roles go back over the operations of its namespace",
    database: NODE_A,
    address: `#/time/group/${OFFICE}?at=24`,
    async run(page, { ok, equal }) {
      equal(await valueNow(page), 24);
      const then = await textOf(page, ".tmt");
      ok(then.includes("Zoë") && !then.includes("removed"), then);
      await press(page, "End");
      const now = await page.$$eval(".tmt .gone", (rows) => rows.map((row) => row.textContent));
      ok(
        now.some((row) => row.startsWith("Zoë")),
        now.join(),
      );
      ok((await textOf(page, ".step")).includes("Keys of then"));
    },
  },
  {
    what: "on a phone the table of a moment takes the whole width, and no entry is cut",
    database: NODE_A,
    address: `#/time/context/${LOBBY}`,
    async run(page, { equal }) {
      await page.setViewport({ width: 390, height: 844 });
      await settled(page);
      const { right, edge, cut } = await page.$eval(".past-scroll", (frame) => {
        const cells = [...frame.querySelectorAll("tbody td:first-child.cut")];
        return {
          right: Math.max(...[...frame.querySelectorAll("tbody tr[aria-rowindex] > td")].map(rightOf)),
          edge: rightOf(frame),
          cut: cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length,
        };
        function rightOf(element) {
          return Math.round(element.getBoundingClientRect().right);
        }
      });
      equal([right, cut], [edge, 0]);
    },
  },
];
/** Checks of what a server serves. */
export const served = [
  {
    what: "the histories of other nodes stand under that of this one",
    databases: [NODE_A, "core-0.11/node-b", "core-0.11/node-c"],
    address: `#/time/context/${LOBBY}`,
    async run(page, { equal }) {
      await page.waitForFunction(() => document.querySelectorAll(".trk .tl").length === 5);
      const labels = await page.$$eval(".trk .tl", (all) => all.map(({ innerText }) => innerText.trim()));
      equal(labels.slice(1, 4), ["node-a this node", "node-b same root", "node-c 103 behind"]);
      const ends = await page.$$eval(".trk .ends", (all) => all.length);
      equal(ends, 1);
    },
  },
];
