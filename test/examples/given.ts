/** The names that an example takes for granted: it uses them and declares them nowhere. */
import ts from "typescript";

/** Names that a reader has already, with the code that tests give for each. The code may use given names too. */
const GIVEN: Readonly<Record<string, string>> = {
  store: `await using store = await openStore("node/data", { writable: true });`,
  a: `await using a = await openStore("node-a/data");`,
  b: `await using b = await openStore("node-b/data");`,
  groupId: `const groupId = toId("HqmkS4UhBYn7Qnoe7SBrR3dMto1SZN5NwmELweCuXyAC");`,
  contextId: `const contextId = toId("DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp");`,
  manifest: `const manifest = await manifestOf(readFileSync("kv_store.wasm"));`,
  delta: "const delta = { value: { actions: { value: [] as readonly Action[] } } };",
  key: "const key = new Uint8Array(16);",
  value: "const value = new Uint8Array(32);",
  ledger: `await using ledger = await openLedger("data", { name: "contacts" });`,
  page: "await using page = await ledger.rootPage();",
  input: `const input = { files: filesIn("node/data") } as unknown as HTMLInputElement;
function filesIn(folder: string): File[] {
  return readdirSync(folder).map((name) => {
    const file = new File([readFileSync(folder + "/" + name)], name);
    return Object.defineProperty(file, "webkitRelativePath", { value: "data/" + name });
  });
}`,
  readFileSync: `import { readFileSync } from "node:fs";`,
  readdirSync: `import { readdirSync } from "node:fs";`,
};

/** The example as a module, with imports of the package's exports and with the names that it takes for granted. */
export function toModule(text: string, exported: ReadonlyMap<string, string>): string {
  const before: string[] = [];
  const done = new Set<string>();
  const add = (name: string): void => {
    if (done.has(name)) return;
    done.add(name);
    const given = GIVEN[name];
    const from = exported.get(name);
    if (given !== undefined) {
      for (const other of freeNames(given)) add(other);
      before.push(given);
    } else if (from !== undefined) before.push(`import { ${name} } from ${JSON.stringify(from)};`);
  };
  for (const name of freeNames(text)) add(name);
  return `${before.join("\n")}\n${text}\nexport {};\n`;
}

/** Names that a piece of TypeScript uses and does not declare. */
function freeNames(text: string): string[] {
  const file = ts.createSourceFile("example.ts", text, ts.ScriptTarget.Latest, true);
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) (isDeclaration(node) ? declared : used).add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...used].filter((name) => !declared.has(name));
}

function isDeclaration(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.name === node) ||
    ts.isParameter(parent) ||
    ts.isImportSpecifier(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isClassDeclaration(parent)
  );
}
