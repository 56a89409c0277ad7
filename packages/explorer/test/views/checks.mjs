/** The checks show the findings of the verification. */
import { openStore } from "../../../../dist/index.js";
import { allRules, verifyStore } from "../../../../dist/verify/index.js";
import { database } from "../../../../test/browser/compare.mjs";
import { number, texts } from "../support/answers.mjs";
import { settled, textOf, visit } from "../support/pages.mjs";

async function verified(name) {
  const store = await openStore(database(name));
  const verification = verifyStore(store);
  const findings = [];
  for await (const finding of verification) findings.push(finding);
  const summary = await verification.summary();
  await store.close();
  return { findings, summary };
}

/** The rules that are listed, with their numbers. */
function rules(page) {
  return page.$$eval(".rules tbody tr", (rows) =>
    rows.map((row) => [
      row.querySelector("a").textContent,
      row.querySelector(".tag")?.textContent ?? "",
      row.querySelector("td.num").textContent,
    ]),
  );
}

const sameAs = (name) => ({
  what: `the checks of ${name} find what the library finds, and list what every rule looked at`,
  database: name,
  address: "#/checks",
  async run(page, { equal, ok }) {
    const { findings, summary } = await verified(name);
    const { errors, warnings, infos } = summary;
    equal(
      await page.$$eval(".severities .n", (all) => all.map((one) => one.textContent)),
      [errors + warnings + infos, errors, warnings, infos].map(number),
    );
    equal([errors, warnings > 1], [0, true]);
    equal(await page.$eval("h1", (heading) => heading.textContent), `No error, ${warnings} warnings`);
    const wanted = summary.rules.map(({ rule, checked, skipped, ...counts }) => {
      const found = counts.errors + counts.warnings + counts.infos;
      return [rule, found === 0 ? "" : number(found), skipped === undefined ? number(checked) : "skipped"];
    });
    equal((await rules(page)).toSorted(), wanted.toSorted());
    ok((await textOf(page)).includes("it needs the files of the blobs"));
    const counts = await page.$eval('.nav a[href="#/checks"] .n', (count) => count.textContent);
    equal(counts, number(findings.length));
  },
});

export const checks = [
  {
    what: "a severity in the address that is none leaves all findings",
    database: "core-0.11/node-a",
    address: "#/checks",
    async run(page, { equal, ok }) {
      const all = await texts(page, ".find h2");
      ok(all.length > 0, "there are findings");
      await visit(page, "#/checks?severity=toString");
      equal(await texts(page, ".find h2"), all);
    },
  },
  sameAs("core-0.11/node-a"),
  sameAs("core-0.10/node-a"),
  {
    what: "a rule is shown alone, with its sentences and a link to every row",
    database: "core-0.11/node-a",
    address: "#/checks/deleted-children",
    async run(page, { equal, ok }) {
      const { findings } = await verified("core-0.11/node-a");
      const wanted = findings.filter(({ rule }) => rule === "deleted-children");
      const rule = allRules.find(({ name }) => name === "deleted-children");
      const text = await textOf(page);
      ok(text.includes(`The rule: ${rule.says}`));
      ok(text.includes(rule.means));
      equal(
        await page.$$eval("a.row-link", (links) => links.map((link) => link.getAttribute("href"))),
        wanted.map(({ kind, key }) => `#/rows/${kind}?key=${key}`),
      );
      equal(
        await page.$$eval("td.values", (cells) => cells.map((cell) => cell.textContent.trim())),
        wanted.map(({ found }) => `found ${found.slice(0, 8)}`),
      );
    },
  },
  {
    what: "keys lead from finding to finding, from all rules to one, and back",
    database: "core-0.11/node-a",
    address: "#/checks",
    async run(page, { equal }) {
      const { findings } = await verified("core-0.11/node-a");
      const links = (await page.$$("a.row-link")).length;
      await page.focus("a.row-link");
      await page.keyboard.press("End");
      const focused = () =>
        page.evaluate(() => [...document.querySelectorAll("a.row-link")].indexOf(document.activeElement));
      equal(await focused(), links - 1);
      await page.keyboard.press("ArrowUp");
      equal(await focused(), links - 2);
      await page.focus(".rules a");
      await page.keyboard.press("Enter");
      await settled(page);
      const first = await page.evaluate(() => location.hash.replace("#/checks/", ""));
      const found = findings.filter(({ rule }) => rule === first).length;
      equal([found > 0, (await page.$$("a.row-link")).length], [true, Math.min(found, 20)]);
      await page.keyboard.press("Escape");
      await settled(page);
      equal((await page.$$("a.row-link")).length, links);
    },
  },
  {
    what: "each severity lists its findings of all rules, of those too that have graver ones",
    database: "core-0.11-apps/parted-n3",
    address: "#/checks",
    async run(page, { equal, ok }) {
      const tags = () => texts(page, ".find h2 .tag");
      ok(
        (await tags()).some((tag) => /warnings?, .*remark/.test(tag)),
        "a rule has several severities",
      );
      const [, ...tabs] = await page.$$eval(".severities .n", (all) =>
        all.map((one) => Number(one.textContent.replace(",", ""))),
      );
      for (const [at, severity] of ["errors", "warnings", "remarks"].entries()) {
        await visit(page, `#/checks?severity=${severity}`);
        const listed = (await tags()).map((tag) => Number(tag.replace(",", "")));
        equal([severity, listed.reduce((sum, one) => sum + one, 0)], [severity, tabs[at]]);
      }
    },
  },
  {
    what: "a severity without findings says so",
    database: "core-0.11/node-a",
    address: "#/checks?severity=errors",
    async run(page, { equal, ok }) {
      ok((await textOf(page)).includes("No finding is of this kind."));
      equal((await page.$$("a.row-link")).length, 0);
    },
  },
];
