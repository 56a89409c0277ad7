/** The imports that each folder may have. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = new URL("../src/", import.meta.url).pathname;

/** Names with spaces between them. */
function named(names: string): readonly string[] {
  return names.trim().split(/\s+/);
}

/** Folder of src → folders that its files may import, beside its own. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "errors.ts": ["url-secrets.ts"],
  "url-secrets.ts": [],
  "options.ts": ["errors.ts"],
  "pause.ts": ["steps.ts"],
  "progress.ts": ["options.ts"],
  "steps.ts": [],
  bytes: ["errors.ts"],
  collections: ["bytes", "pause.ts"],
  codec: ["bytes", "errors.ts", "options.ts", "steps.ts"],
  crypto: ["bytes", "collections", "errors.ts", "options.ts"],
  lsm: ["bytes", "collections", "crypto", "errors.ts", "options.ts", "url-secrets.ts"],
  disk: ["bytes", "errors.ts", "lsm"],
  engine: ["bytes", "errors.ts", "options.ts", "progress.ts"],
  engines: named("bytes collections crypto disk engine errors.ts lsm options.ts pause.ts progress.ts"),
  columns: [],
  findings: ["errors.ts"],
  keys: ["bytes", "codec", "columns", "errors.ts"],
  payloads: ["bytes", "codec"],
  values: ["codec", "payloads"],
  digests: ["bytes", "codec", "collections", "crypto", "errors.ts", "payloads", "steps.ts", "values"],
  layouts: ["bytes", "codec", "digests", "payloads"],
  schemas: named(`
    bytes codec collections digests engine errors.ts keys layouts options.ts pause.ts payloads progress.ts
    values`),
  encryption: named(
    "bytes codec collections crypto engine errors.ts options.ts pause.ts progress.ts schemas",
  ),
  revisions: ["digests", "keys", "payloads", "schemas", "values"],
  store: named(`
    bytes codec collections encryption engine engines errors.ts keys options.ts pause.ts progress.ts
    schemas`),
  transfer: named(`
    blobs bytes collections disk encryption engine engines errors.ts options.ts pause.ts progress.ts
    schemas store`),
  testing: ["engine", "engines", "errors.ts", "schemas", "store"],
  convert: named(`
    bytes codec digests disk engine engines errors.ts keys options.ts pause.ts payloads
    progress.ts schemas store values`),
  diff: named(`
    bytes codec digests engine errors.ts layouts options.ts pause.ts progress.ts schemas store transfer`),
  sql: named(`
    blobs bytes codec collections disk engine errors.ts keys lsm node options.ts pause.ts progress.ts
    schemas state store`),
  blobs: named(`
    bytes collections crypto digests disk engine errors.ts lsm node options.ts pause.ts progress.ts
    schemas store`),
  verify: named(`
    blobs bytes codec collections crypto digests engine errors.ts findings keys layouts node options.ts
    pause.ts payloads progress.ts schemas state steps.ts store values`),
  node: named(`
    bytes codec collections crypto digests engine errors.ts keys options.ts pause.ts payloads
    progress.ts schemas store values`),
  state: named(`
    blobs bytes codec collections columns crypto digests engine errors.ts layouts node options.ts
    pause.ts payloads progress.ts schemas store`),
  why: named(`
    bytes collections diff digests errors.ts keys node options.ts pause.ts progress.ts schemas state
    store`),
  cli: named(`
    blobs bytes codec columns convert diff disk encryption engines errors.ts explore findings keys node
    pause.ts progress.ts schemas sql state store transfer url-secrets.ts verify why`),
  explore: ["disk", "errors.ts"],
  "browser.ts": ["bytes", "codec", "columns", "errors.ts", "keys", "progress.ts", "schemas", "store"],
  "index.ts": ["browser.ts", "store"],
  entries: ["blobs", "convert", "diff", "encryption", "engines", "node", "transfer", "why"],
  "internal-page.ts": named(`
    bytes collections crypto engine engines errors.ts findings lsm options.ts pause.ts progress.ts
    schemas url-secrets.ts`),
  "internal.ts": ["internal-page.ts", "disk"],
};

/** The parts of a folder → the parts that they may import, by their short names. */
function within(folder: string, imported: Readonly<Record<string, string>>): Record<string, string[]> {
  const whole = (name: string) => `${folder}/${name}`;
  return Object.fromEntries(
    Object.entries(imported).map(([name, names]) => [
      whole(name),
      names === "" ? [] : named(names).map(whole),
    ]),
  );
}

/** Parts of folders → the other parts of the same folder that they may import. */
const parts: Readonly<Record<string, readonly string[]>> = {
  "lsm/format": ["lsm"],
  "lsm/catalog": ["lsm", "lsm/format"],
  "lsm/http": ["lsm", "lsm/catalog", "lsm/format"],
  "engines/memory": [],
  // The index also exports the writer of a new database.
  "engines/files": ["engines", "engines/files/read", "engines/files/recover", "engines/files/write"],
  "engines/files/write": ["engines/files", "engines/files/read"],
  "engines/files/recover": ["engines/files/read"],
  "engines/files/read": [],
  "engines/rocksdb": [],
  "engines/level": [],
  "engine/conformance": ["engine"],
  "keys/group": ["keys"],
  "values/group": [],
  "schemas/private": ["schemas"],
  "verify/rules": ["verify", "verify/rules/one-row", "verify/rules/references"],
  "verify/rules/one-row": ["verify"],
  "verify/rules/references": ["verify"],
  "node/tables": ["node"],
  "node/sentences": ["node"],
  "node/history": ["node", "node/sentences", "node/tables"],
  "node/replay": ["node/history", "node/replay/transitions", "node/sentences", "node/tables"],
  "node/replay/transitions": ["node/replay"],
  "verify/threads": ["verify"],
  "sql/columns": ["sql"],
  ...within("cli", {
    output: "",
    arguments: "output",
    database: "arguments output",
    completion: "arguments database output",
    sql: "arguments database output",
    state: "arguments database output",
    blobs: "arguments database output state",
    diff: "arguments database output state",
    explore: "arguments database output sql",
    rows: "arguments database output sql",
    schema: "arguments database output rows",
    decode: "arguments output schema",
    verify: "arguments database output state",
    copies: "arguments database output rows verify",
    node: "arguments database output rows sql state verify",
    status: "arguments database node output verify",
    watch: "arguments database diff node output rows state verify",
  }),
  "state/manifest": [],
  "state/replay": ["state", "state/layouts", "state/types"],
};

/** Importing files (how their paths begin) → files that they may import past an index. */
const open: readonly (readonly [from: string, to: string])[] = [
  // One file for each type, and none imports the other way.
  ["values/", "payloads/"],
  ["digests/", "payloads/"],
  ["digests/", "values/"],
  ["revisions/", "schemas/"],
  // The entry points for browsers of folders whose index needs Node.
  ["browser.ts/", "store/browser.ts"],
  ["diff/", "store/browser.ts"],
  ["why/", "store/browser.ts"],
  ["why/", "diff/browser.ts"],
  ["why/", "diff/diff-rows.ts"],
  // Judgements that the library shows as whole answers only.
  ["why/", "node/"],
  ["why/", "state/"],
  ["testing/", "store/browser.ts"],
  ["testing/", "engines/memory/"],
  ["blobs/", "store/browser.ts"],
  ["blobs/", "node/tables/"],
  ["blobs/", "node/history/"],
  ["verify/", "blobs/browser.ts"],
  ["state/", "blobs/browser.ts"],
  ["verify/", "store/browser.ts"],
  ["node/", "store/browser.ts"],
  ["state/", "store/browser.ts"],
  ["state/", "node/tables/"],
  ["state/replay/", "node/history/order.ts"],
  // Shows rows as they were in place of the current ones.
  ["state/replay/", "store/pending.ts"],
  ["index.ts/", "store/open.ts"],
  ["store/open.ts/", "engines/open.ts"],
  // The engines that the openers choose from.
  ["engines/", "engines/"],
  ["verify/", "verify/rules/"],
  ["verify/", "node/replay/"],
  ["internal-page.ts/", "engines/files/write/"],
  ["internal-page.ts/", "engines/memory/"],
  ["entries/", "blobs/browser.ts"],
  ["entries/", "diff/browser.ts"],
  ["entries/", "engines/browser.ts"],
  ["entries/", "engines/level/"],
  ["entries/", "node/browser.ts"],
];

/** Folders whose files run anywhere: nothing of Node. */
const pure = named(`
  bytes codec collections columns keys values payloads digests schemas revisions encryption errors.ts
  findings options.ts engine lsm node state engines/memory engines/files/read`);

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, "../tsconfig.json"), ts.sys.readFile).config,
  ts.sys,
  join(root, ".."),
);

/** The files of src that a file imports, types included, as the compiler resolves them. */
const imports = new Map(files.map((file) => [file, resolvedImports(file)]));

function resolvedImports(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), "utf8"), true, true);
  return importedFiles.flatMap(({ fileName }) => {
    const { resolvedModule } = ts.resolveModuleName(fileName, join(root, file), options, ts.sys);
    const path = resolvedModule?.resolvedFileName;
    return path?.startsWith(root) ? [relative(root, path)] : [];
  });
}

function importsOf(file: string): string[] {
  return specifiersIn(readFileSync(join(root, file), "utf8"));
}

/** Leaves out imports in comments and of types: the compiled code has neither. */
function importsAtRun(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return specifiersIn(
    text.replaceAll(/\/\*[\s\S]*?\*\/|(import|export) type[^;]+;|typeof import\([^)]*\)/g, ""),
  );
}

function specifiersIn(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, specifier]) => specifier as string);
}

interface Package {
  readonly exports: Readonly<Record<string, string | Target>>;
}

interface Target {
  readonly browser?: { readonly default: string };
  readonly default: string;
}

/** Entry points that open folders. */
const needNode = ["./transfer", "./sql"];

function resolved(file: string, specifier: string): string {
  return relative(root, resolve(root, dirname(file), specifier)).replace(/\.js$/, ".ts");
}

const place = (file: string) => file.split("/")[0] as string;

/** The part of a folder that a file belongs to: the longest name in `parts`, or the folder itself. */
function part(file: string): string {
  const names = Object.keys(parts).filter((name) => file.startsWith(`${name}/`));
  return names.reduce((longest, name) => (name.length > longest.length ? name : longest), dirname(file));
}

/** The outermost folder with an index that a file enters when it imports the target. */
function outermost(target: string, file: string): string | undefined {
  const names = target.split("/").slice(0, -1);
  return names
    .map((_, at) => names.slice(0, at + 1).join("/"))
    .find((folder) => !file.startsWith(`${folder}/`) && files.includes(`${folder}/index.ts`));
}

function isOpen(file: string, target: string): boolean {
  return open.some(([from, to]) => `${file}/`.startsWith(from) && target.startsWith(to));
}

describe("imports", () => {
  it("of a file are allowed for its folder", () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => place(target) !== place(file) && !allowed[place(file)]?.includes(place(target)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("use every permission", () => {
    const used = new Set(
      [...imports].flatMap(([file, targets]) => targets.map((to) => `${place(file)} ${place(to)}`)),
    );
    const unused = Object.entries(allowed).flatMap(([folder, targets]) =>
      targets.map((target) => `${folder} ${target}`).filter((pair) => !used.has(pair)),
    );
    expect(unused).toEqual([]);
  });

  it("use every permission of parts and of open files", () => {
    const all = [...imports].flatMap(([file, targets]) => targets.map((to) => [file, to] as const));
    const used = new Set(all.map(([file, to]) => `${part(file)} ${part(to)}`));
    const unused = Object.entries(parts).flatMap(([from, targets]) =>
      targets.map((to) => `${from} ${to}`).filter((pair) => !used.has(pair)),
    );
    const shut = open.filter(
      ([from, to]) =>
        !all.some(([file, target]) => {
          const folder = outermost(target, file);
          return (
            folder && target !== `${folder}/index.ts` && `${file}/`.startsWith(from) && target.startsWith(to)
          );
        }),
    );
    expect([...unused, ...shut.map((pair) => pair.join(" "))]).toEqual([]);
    expect(pure.filter((name) => !files.some((file) => `${file}/`.startsWith(`${name}/`)))).toEqual([]);
  });

  it("between the parts of a folder are allowed for the parts", () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => {
          const [from, to] = [part(file), part(target)];
          return (
            place(from) === place(to) && from !== to && parts[from] !== undefined && !parts[from].includes(to)
          );
        })
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("enter a folder through its index, if it has one", () => {
    const wrong = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => {
          const folder = outermost(target, file);
          return folder !== undefined && target !== `${folder}/index.ts` && !isOpen(file, target);
        })
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("do not need Node in portable code", () => {
    const wrong = files
      .filter(
        (file) =>
          pure.some((folder) => file === folder || file.startsWith(`${folder}/`)) &&
          !file.includes("conformance/"),
      )
      .filter((file) => importsOf(file).some((specifier) => specifier.startsWith("node:")));
    expect(wrong).toEqual([]);
  });

  it("the browser entry points do not import Node modules", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "../package.json"), "utf8")) as Package;
    const entries = Object.entries(exports).flatMap(([path, target]) =>
      typeof target === "string" || needNode.includes(path)
        ? []
        : [target.browser?.default ?? target.default],
    );
    const reached = new Set(entries.map((target) => target.replace(/^\.\/dist\/(.*)\.js$/, "$1.ts")));
    const wrong: string[] = [];
    for (const file of reached) {
      for (const specifier of importsAtRun(file)) {
        if (specifier.startsWith(".")) reached.add(resolved(file, specifier));
        else if (/^node:|^rocksdb-native|^classic-level/.test(specifier))
          wrong.push(`${file} imports ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(reached).toContain("engines/files/files-engine.ts");
  });

  it("do not form a cycle, types included", () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      else if (!done.has(file)) {
        for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
        done.add(file);
      }
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });
});

describe("the diagram of CONTRIBUTING.md", () => {
  const text = readFileSync(join(root, "../CONTRIBUTING.md"), "utf8");
  const [diagram = ""] = /^ {4}cli · [\s\S]*?\n\n/m.exec(text) ?? [];
  const lines = diagram.split("\n").map((line) => line.trim().split(/ {2,}/)[0]?.split(" · ") ?? []);
  const lineOf = (folder: string): number => lines.findIndex((names) => names.includes(folder));
  const folders = Object.keys(allowed).filter(
    (name) => !/^(browser|index|internal|internal-page)\.ts$/.test(name),
  );

  it("has every folder", () => {
    expect(folders.filter((folder) => lineOf(folder) < 0)).toEqual([]);
  });

  it("has no import that goes up", () => {
    const up = folders.flatMap((folder) =>
      (allowed[folder] ?? [])
        .filter((to) => lineOf(to) < lineOf(folder))
        .map((to) => `${folder} imports ${to}`),
    );
    expect(up).toEqual([]);
  });
});

describe("commands", () => {
  it("write only through the terminal, which shows foreign text in escapes", () => {
    const writes = files
      .filter((file) => file.startsWith("cli/"))
      .filter((file) => /process\.(stdout|stderr)|\bconsole\./.test(readFileSync(join(root, file), "utf8")));
    // The start prints this package's own version before anything is loaded.
    expect(writes).toEqual(["cli/ledger.ts", "cli/run-commands.ts", "cli/start.ts"]);
  });
});

describe("files", () => {
  it("stay below 400 lines", () => {
    const lines = (file: string) => readFileSync(join(root, file), "utf8").split("\n").length;
    expect(files.filter((file) => lines(file) > 400)).toEqual([]);
  });

  it("key no set and no map by big integers, which foreign bytes choose: their hash is known in advance", () => {
    const keyed = files.filter((file) => /(?:Set|Map)<bigint/.test(readFileSync(join(root, file), "utf8")));
    // The nonces of a replay are limited to 4,096.
    expect(keyed).toEqual(["node/replay/nonces.ts"]);
  });
});

describe("revisions", () => {
  /** Files that name a revision in code, outside {@link declaring}: each reason is a fact of upstream. */
  const naming: Readonly<Record<string, string>> = {
    "browser.ts": "exports the schemas",
    "cli/copies/convert.ts": "converts to a revision",
    "cli/copies/upgrade-check.ts": "asks for a revision",
    "columns/columns.ts": "says since when a column family is there",
    "digests/operations.ts": "the name of a layout of operations",
    "encryption/master-key.ts": "the name of a rule of encryption",
    "encryption/rule.ts": "the name of a rule of encryption",
    "encryption/value-cipher.ts": "the name of a rule of encryption",
    "node/signed.ts": "the revision of each layout",
    "node/permission/actions.ts": "what each revision asks of members",
    "payloads/group-operation.ts": "the name of a layout of operations",
    "payloads/namespace-operation.ts": "the name of a layout of operations",
    "payloads/operation-layouts.ts": "the operations of each revision",
    "payloads/unified-op.ts": "the name of a layout of operations",
    "store/open.ts": "an example in a message",
    "store/store-on.ts": "an example in a message",
    "verify/since.ts": "since when rules hold",
  };
  /** Files that declare or list revisions, or convert between two of them. */
  const declaring = /^(?:schemas|revisions|convert|state\/layouts)\//;

  it("are named in no other file: a new one is a list of rows and the layouts of its operations", () => {
    const found = files.filter((file) => {
      const text = readFileSync(join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
      return !declaring.test(file) && /\bcore(?:010|011|10)\b|"core-\d[\d.]*"/.test(text);
    });
    expect(found.sort()).toEqual(Object.keys(naming).sort());
  });

  it("are named in schemas where they are declared and listed only", () => {
    const found = files.filter(
      (file) =>
        file.startsWith("schemas/") &&
        !/schemas\/(?:core-[\d.]+|documented|index|detect)\.ts$/.test(file) &&
        /\bcore(?:010|011|10)\b/.test(
          readFileSync(join(root, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, ""),
        ),
    );
    expect(found).toEqual([]);
  });
});
