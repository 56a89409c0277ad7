// The text of the modules in src/revisions. `npm run docs` writes them; a test fails if they are stale.
import * as codecs from "../dist/codec/index.js";
import * as digests from "../dist/digests/index.js";
import { revisionOf } from "../dist/index.js";
import * as keys from "../dist/keys/index.js";
import * as payloads from "../dist/payloads/index.js";
import * as values from "../dist/values/index.js";

/** Exports of src/keys that are not key classes. Every revision module exports them. */
const helpers = ["AliasKind", "type GenericScope", "genericScope", "genericScopes", "noScope", "scopeBytes"];

const about = {
  documented: "The Storage Schema document's own layouts. No node writes them.",
  "core-0.10": "The rows of nodes of version 0.10.1-rc.18 and rc.19.",
  "core-0.11": "The rows of nodes of version 0.11.0-rc.25.",
  "core-1.0": "The rows of nodes of version 0.11.0-rc.83 to 1.0.0-rc.8.",
};

/** Names of the exported const and interface in src/schemas. */
const names = {
  documented: ["documented", "Documented"],
  "core-0.10": ["core010", "Core010"],
  "core-0.11": ["core011", "Core011"],
  "core-1.0": ["core10", "Core10"],
};

/** Returns the text of the module that exports a revision's key classes and types under their plain names. */
export function revisionModule(revision) {
  const schema = revisionOf(revision);
  const types = new Set(Object.values(schema.types));
  for (const { value } of schema.rows) types.add(value);
  const [value, type] = names[schema.name];
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
 * for await (const { key, value } of store.scan(GroupMember)) console.log(\`\${key}\`, value);
 * await store.close();
 *
 * @module
 */
${lists.map(([folder, list]) => exportOf(folder, list)).join("")}export { ${value}, ${value} as schema, type ${type} } from "../schemas/${schema.name}.js";
`;
}

/** Returns the named codecs of a folder that a schema uses, as pairs of their name and their plain name. */
function exported(folder, types) {
  return Object.entries(folder).flatMap(([name, one]) =>
    one instanceof codecs.Codec && types.has(one) ? [[name, name.replace(/(010|011|Documented)$/, "")]] : [],
  );
}

/** The ids, hashes and signed bytes that revisions compute by different rules. */
function rules(revision) {
  // Newest first: a rule without the suffix of a revision is that of the revision after it.
  const suffixes =
    { "core-0.10": ["010", "011", ""], "core-0.11": ["011", ""], "core-1.0": [""] }[revision] ?? [];
  const plain = new Set(Object.keys(digests).flatMap((name) => name.match(/^(.*)01[01]$/)?.[1] ?? []));
  return [...plain].flatMap((name) => {
    const suffix = suffixes.find((one) => Object.hasOwn(digests, `${name}${one}`));
    return suffix === undefined ? [] : [[`${name}${suffix}`, name]];
  });
}

function nameIn(folder, one) {
  return Object.keys(folder).find((name) => folder[name] === one);
}

function exportOf(folder, list) {
  const items = list.map(([name, plain]) => (name === plain ? name : `${name} as ${plain}`));
  const order = (item) => item.replace(/^type /, "");
  items.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return items.length === 0
    ? ""
    : `export {\n${items.map((item) => `  ${item},\n`).join("")}} from "../${folder}/index.js";\n`;
}
