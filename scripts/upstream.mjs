// Compares two versions of Calimero's core, and lists the changed layouts, each with the place in this repository that describes
// it:
//     node scripts/upstream.mjs CHECKOUT [FROM TO]
// CHECKOUT is a git clone of calimero-network/core. FROM is the version that the newest revision describes unless it is given; TO is
// HEAD. The files that layouts come from are those of upstream/layouts.json. Exit status: 0 if nothing changed, 1 if something did, 2
// for wrong use.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { changes, declarationsOf } from "./upstream/declarations.mjs";

/** The tag of the version that the newest revision describes. */
const NEWEST = "1.0.0-rc.8";

const areas = JSON.parse(readFileSync(new URL("upstream/layouts.json", import.meta.url), "utf8"));
const [checkout, from = NEWEST, to = "HEAD", ...others] = process.argv.slice(2);
if (checkout === undefined || others.length > 0) fail("usage: node scripts/upstream.mjs CHECKOUT [FROM TO]");

function fail(message) {
  console.error(message);
  process.exit(2);
}

function git(...words) {
  const { status, stdout, stderr } = spawnSync("git", ["-C", checkout, ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) fail(stderr?.trim() || "git cannot be run");
  return stdout;
}

/** The area of a file; undefined for files that no layout comes from. */
function areaOf(path) {
  return areas.find(({ files }) => files.some((pattern) => new RegExp(pattern).test(path)));
}

/** The declarations of a version by name, with the area of the file that has them. */
function declarations(version) {
  const found = new Map();
  for (const path of git("ls-tree", "-r", "--name-only", version).split("\n")) {
    const area = areaOf(path);
    if (area === undefined || !path.endsWith(".rs")) continue;
    for (const [name, members] of declarationsOf(git("show", `${version}:${path}`)))
      found.set(found.has(name) ? `${name} (${path})` : name, { area, members });
  }
  return found;
}

/** The lines about declarations by area. */
function compare(before, after) {
  const lines = new Map(areas.map(({ area }) => [area, []]));
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)];
    const { area } = (now ?? old).area;
    if (old === undefined)
      lines
        .get(area)
        .push(
          `+ ${name}`,
          ...(name.startsWith("impl") ? [] : now.members.map((member, at) => `    ${at} ${member}`)),
        );
    else if (now === undefined) lines.get(area).push(`- ${name}`);
    else {
      const changed = changes(old.members, now.members);
      const shown = name.startsWith("impl") ? [] : changed.map((line) => `    ${line}`);
      if (changed.length > 0) lines.get(area).push(`~ ${name}`, ...shown);
    }
  }
  return lines;
}

const files = git("diff", "--numstat", "--no-renames", from, to)
  .split("\n")
  .filter(Boolean)
  .map((line) => line.split("\t"))
  .map(([added, removed, path]) => ({ path, added, removed, area: areaOf(path)?.area }))
  .filter(({ area }) => area !== undefined);
const lines = compare(declarations(from), declarations(to));
for (const { area, here } of areas) {
  const changed = files.filter((file) => file.area === area);
  if (changed.length === 0 && lines.get(area).length === 0) continue;
  console.log(`[ ] ${area} → ${here}`);
  for (const line of lines.get(area)) console.log(`    ${line}`);
  for (const { path, added, removed } of changed) console.log(`    read ${path} (+${added} -${removed})`);
  console.log();
}
console.log(
  files.length === 0
    ? `no file that layouts come from changed between ${from} and ${to}`
    : `${files.length} files that layouts come from changed between ${from} and ${to}`,
);
process.exitCode = files.length === 0 ? 0 : 1;
