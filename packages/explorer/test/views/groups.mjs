// Groups: what the page shows beside what the library answers, by pointer and by keyboard.
import { allOf, byChange, ofNode, ofStore, texts } from "../support/answers.mjs";

const OFFICE = "fa3977a23ba74c0468ff077f4e4cbfd213f95773e24ac8229c64573857a7fb05";

/** The tree as the library has it: all names, from the top on. */
function namesOf(groups) {
  return groups.flatMap(({ group, children }) => [group.name ?? group.id.slice(0, 8), ...namesOf(children)]);
}

export const checks = [
  {
    what: "the tree has every group, and keys open, close and choose",
    database: "core-0.11/node-a",
    address: `#/groups/${OFFICE}`,
    async run(page, { equal }) {
      await page.waitForSelector(".group-tree [role=treeitem]");
      const groups = await ofNode(async (node) => byChange(await node.namespaces(), await node.contexts()));
      const shown = () => texts(page, ".group-tree [role=treeitem] .kind");
      equal(await shown(), namesOf(groups));
      await page.focus(".group-tree [role=tree]");
      await page.keyboard.press("ArrowLeft");
      await page.waitForSelector(".group-tree [aria-expanded=false]");
      equal((await shown()).length, namesOf(groups).length - 2);
      await page.keyboard.press("ArrowRight");
      await page.waitForSelector(".group-tree [aria-expanded=true]");
      await page.keyboard.press("ArrowDown");
      const office = groups.find(({ group }) => group.id === OFFICE);
      await page.waitForFunction((id) => location.hash === `#/groups/${id}`, {}, office.children[0].group.id);
    },
  },
  {
    what: "members have roles, capabilities, devices and whoever invited them",
    database: "core-0.11/node-a",
    address: `#/groups/${OFFICE}`,
    async run(page, { equal, ok }) {
      await page.waitForSelector(".members tbody tr");
      await page.waitForFunction(() => document.querySelector(".members .skel") === null);
      const members = await ofNode((node) => node.members(OFFICE));
      const origins = await ofNode((node) => node.origins(OFFICE));
      const rows = await texts(page, ".members tbody tr");
      // The others are the heading of those who left, and those.
      equal(rows.length, members.length + 2);
      for (const [at, { member, role }] of members.entries()) {
        const { operation } = origins.members.get(member.id);
        ok(rows[at].includes(member.id.slice(0, 8)) && rows[at].includes(role), rows[at]);
        ok(rows[at].includes(operation.id.slice(0, 8)), rows[at]);
      }
      ok(rows[1].includes("create contexts, invite members"), rows[1]);
      ok(rows[3].includes("e8e04d8c") && rows[3].includes("left"), rows[3]);
    },
  },
  {
    what: "both logs are listed newest first, and a line opens the history at its operation",
    database: "core-0.11/node-a",
    address: `#/groups/${OFFICE}`,
    async run(page, { equal }) {
      await page.waitForSelector(".group-log tbody tr");
      const lines = () =>
        page.$$eval(".group-log tbody tr td:first-child a", (links) => links.map((link) => link.title));
      const logs = await ofNode(async (node) => ({
        own: (await allOf(node.groupLog(OFFICE))).map(({ id }) => id),
        all: (await allOf(node.history(OFFICE))).map(({ id }) => id),
      }));
      equal(await lines(), logs.own);
      await page.click('.group-log .seg a[href$="log=namespace"]');
      await page.waitForFunction(
        (count) => document.querySelectorAll(".group-log tbody tr").length === count,
        {},
        logs.all.length,
      );
      equal(await lines(), logs.all);
      await page.click(".group-log tbody tr td:first-child a");
      await page.waitForSelector(".history-list");
      equal(await page.evaluate(() => location.hash), `#/history/namespace/${OFFICE}/${logs.all[0]}`);
    },
  },
  {
    what: "keys are named and never shown",
    database: "core-0.11/node-a",
    address: `#/groups/${OFFICE}`,
    async run(page, { equal, ok }) {
      await page.waitForSelector(".redacted");
      const details = await ofNode((node) => node.groupDetails(OFFICE));
      const text = await page.$eval("main", (element) => element.textContent);
      for (const { id } of details.keys) ok(text.includes(id.slice(0, 8)), id);
      equal((await texts(page, ".redacted")).length, details.keys.length);
      const html = await page.evaluate(() => document.documentElement.outerHTML);
      const stored = await ofStore((store) => allOf(store.table("GroupKeyEntry").scan()));
      const keys = stored.filter(({ key }) => Buffer.from(key.groupId).toString("hex") === OFFICE);
      equal(keys.length, details.keys.length);
      for (const { value } of keys) {
        const secret = Buffer.from(value.groupKey).toString("hex");
        ok(secret.length === 64 && !html.includes(secret.slice(0, 16)), "a key is in the page");
      }
    },
  },
];
