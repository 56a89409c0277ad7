// The text of the modules in src/revisions. `npm run docs` writes them; a test fails if they are stale.
import { readFileSync } from "node:fs";
import * as codecs from "../dist/codec/index.js";
import { revisionOf, revisions } from "../dist/index.js";
import * as keys from "../dist/keys/index.js";
import * as payloads from "../dist/payloads/index.js";
import * as schemas from "../dist/schemas/index.js";
import * as values from "../dist/values/index.js";

/** Exports of src/keys that are not key classes. Every revision module exports them. */
const helpers = ["AliasKind", "type GenericScope", "genericScope", "genericScopes", "noScope", "scopeBytes"];

const about = {
  documented: "The Storage Schema document's own layouts. No node writes them.",
  "core-0.10": "The rows of nodes of version 0.10.1-rc.18 and rc.19.",
  "core-0.11": "The rows of nodes of version 0.11.0-rc.25.",
  "core-1.0": "The rows of nodes of version 0.11.0-rc.83 to 1.0.0-rc.8.",
};

/** The suffix of a name that a later revision has for something else: the digits of the last revision of this one. */
const SUFFIX = /(?:0\d+|[1-9]\d+|Documented)$/;

/** Returns the text of the module that exports a revision's key classes and types under their plain names. */
export function revisionModule(revision) {
  const schema = revisionOf(revision);
  const types = new Set(Object.values(schema.types));
  for (const { value } of schema.rows) types.add(value);
  const value = nameIn(schemas, schema);
  const type = value[0].toUpperCase() + value.slice(1);
  if (!Object.hasOwn(about, revision)) throw new Error(`no sentence about ${revision}: see \`about\` here`);
  const lists = [
    [
      "keys",
      [...schema.rows.map(({ key, kind }) => [nameIn(keys, key), kind]), ...helpers.map((one) => [one, one])],
    ],
    ["digests", rules(schema.name)],
    ["payloads", exported(payloads, types)],
    ["values", exported(values, types)],
  ];
  return `/**
 * ${about[schema.name]} Key classes, value types and the types inside values, under plain names: a program that
 * imports only this module meets no other revision. Written by \`npm run docs\`.
 *
 * @example
 * import { openStore } from "merostore";
 * import { GroupMember, schema } from "merostore/${schema.name}";
 *
 * const store = await openStore("node/data", { schema });
 * for await (const { key, value } of store.table(GroupMember).scan()) console.log(\`\${key}\`, value);
 * await store.close();
 *
 * @module
 */
${lists.map(([folder, list]) => exportOf(folder, list)).join("")}export { ${value}, ${value} as schema, type ${type} } from "../schemas/${schema.name}.js";
`;
}

/** Returns the named codecs of a folder that a schema uses, as pairs of their name and their plain name. */
function exported(folder, types) {
  const used = Object.keys(folder).filter(
    (name) => folder[name] instanceof codecs.Codec && types.has(folder[name]),
  );
  // Codecs of plain numbers are one, whatever their names.
  return used
    .filter((name) => !SUFFIX.test(name) || !used.includes(plainName(name)))
    .map((name) => [name, plainName(name)]);
}

/** The computations of ids, hashes and signed bytes, by the names that src/digests exports: those of the newest node alone, and all. */
const digests = (() => {
  const text = readFileSync(new URL("../src/digests/index.ts", import.meta.url), "utf8");
  const lists = [
    ...text.matchAll(/^(\/\*\* @internal \*\/\n)?export (type )?\{([^}]*)\} from "\.\/([\w-]+)\.js";/gm),
  ];
  return lists.flatMap(([, isInternal, isType = "", names, file]) =>
    isInternal === undefined
      ? names.match(/(?:type )?\w+/g).map((name) => ({ name: isType + name, file }))
      : [],
  );
})();

/** Files of src/digests about what older nodes do not have, past the rules with a suffix. */
const SINCE_10 = [
  "account",
  "child-trie",
  "delta-id",
  "delta-signature",
  "domain-digest",
  "marked-id",
  "warrant",
];

/** The ids, hashes and signed bytes of a revision. */
function rules(revision) {
  const later = revisions.slice(revisions.findIndex(({ name }) => name === revision));
  if (revision === "documented") return [];
  // A rule without the suffix of a revision is that of all after it.
  const suffixes = [...later.map(({ name }) => name.replace(/\D/g, "")), ""];
  const changed = digests.filter(({ name }) => SUFFIX.test(name)).map(({ name }) => plainName(name));
  const names = digests
    .filter(
      ({ name, file }) =>
        revision === "core-1.0" || !SINCE_10.includes(file) || changed.includes(plainName(name)),
    )
    .map(({ name }) => name);
  return [...new Set(names.map(plainName))].flatMap((plain) => {
    const suffix = suffixes.find((one) => names.includes(`${plain}${one}`));
    return suffix === undefined ? [] : [[`${plain}${suffix}`, plain.replace("type ", "")]];
  });
}

function plainName(name) {
  return name.replace(SUFFIX, "");
}

function nameIn(folder, one) {
  return Object.keys(folder).find((name) => folder[name] === one);
}

function exportOf(folder, list) {
  const items = list.map(([name, plain]) =>
    name.replace("type ", "") === plain.replace("type ", "") ? name : `${name} as ${plain}`,
  );
  const order = (item) => item.replace(/^type /, "");
  items.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return items.length === 0
    ? ""
    : `export {\n${items.map((item) => `  ${item},\n`).join("")}} from "../${folder}/index.js";\n`;
}
