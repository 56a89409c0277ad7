// The diagnostics of TypeScript for a project, then eslint's rules about types on the same program:
//     node scripts/types-and-lint.mjs tsconfig.json src test bench
import { ESLint } from "eslint";
import ts from "typescript";

const host = {
  ...ts.sys,
  getCanonicalFileName: (name) => name,
  getNewLine: () => "\n",
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => report([diagnostic]),
};

function report(diagnostics) {
  if (diagnostics.length === 0) return;
  console.log(ts.formatDiagnosticsWithColorAndContext(diagnostics, host));
  process.exitCode = 1;
}

const [project, ...folders] = process.argv.slice(2);
const config = ts.getParsedCommandLineOfConfigFile(project, {}, host);
const program = ts.createProgram({ rootNames: config.fileNames, options: config.options });
report([...config.errors, ...ts.getPreEmitDiagnostics(program)]);

const ignores = (config.raw.exclude ?? []).map((folder) => `${folder}/**`);
const eslint = new ESLint({
  overrideConfig: [
    ...(ignores.length > 0 ? [{ ignores }] : []),
    { languageOptions: { parserOptions: { projectService: false, programs: [program] } } },
  ],
});
const results = await eslint.lintFiles(folders);
const formatter = await eslint.loadFormatter("stylish");
const text = await formatter.format(results);
if (text !== "") console.log(text);
if (results.some(({ errorCount, warningCount }) => errorCount + warningCount > 0)) process.exitCode = 1;
