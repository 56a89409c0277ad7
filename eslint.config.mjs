// Only what needs types: promises that nobody awaits, and copies of bytes. Everything else is Biome's.
import tseslint from "typescript-eslint";

/** Forbids `slice()` of bytes: a Buffer is a Uint8Array whose `slice()` is a view, which changes with its owner. */
const copyBytes = {
  meta: {
    type: "problem",
    schema: [],
    messages: { slice: "slice() of a Buffer is a view: use copyBytes for a copy, subarray() for a view" },
  },
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    const checker = program.getTypeChecker();
    const isBytes = (type) =>
      type.isUnion() ? type.types.some(isBytes) : ["Uint8Array", "Buffer"].includes(type.symbol?.name);
    return {
      'CallExpression > MemberExpression.callee[property.name="slice"]'({ object, property }) {
        if (isBytes(checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(object))))
          context.report({ node: property, messageId: "slice" });
      },
    };
  },
};

const languageOptions = {
  parser: tseslint.parser,
  parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
};

export default tseslint.config(
  { ignores: ["**/dist/**"] },
  {
    files: ["{src,test,bench,packages}/**/*.{ts,tsx}"],
    languageOptions,
    plugins: { "@typescript-eslint": tseslint.plugin },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/return-await": ["error", "in-try-catch"],
    },
  },
  {
    files: ["src/**/*.ts"],
    plugins: { bytes: { rules: { copy: copyBytes } } },
    rules: { "bytes/copy": "error" },
  },
);
