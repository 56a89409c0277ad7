/** Completion: the answers of `__complete`, and the script for bash in a real bash. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { longName } from "../../../src/cli/arguments/parser.js";
import { complete } from "../../../src/cli/completion/complete.js";

import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cliProcess as cli, linesOf, merostore } from "../run.js";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const root = fileURLToPath(new URL("../../..", import.meta.url));
const wordsFor = async (...typed: readonly string[]): Promise<readonly string[]> =>
  (await complete(merostore, typed)).words.map(({ word }) => word);

describe("what completes a line", () => {
  it("is a command, and a command of a group", async () => {
    expect(await wordsFor("s")).toEqual(expect.arrayContaining(["scan", "schema"]));
    expect(await wordsFor("ledger", "p")).toEqual(["pages", "put"]);
    expect(await wordsFor("help", "sca")).toEqual(["scan"]);
  });

  it("is every option of every command, and its choices", async () => {
    for (const one of merostore.commands) {
      if ("commands" in one) continue;
      const [name = ""] = one.words.split(" ");
      const options = await wordsFor(name, "--");
      for (const [option, { choices }] of Object.entries(one.options)) {
        expect(options.includes(longName(option)), `${name} ${option}`).toBe(true);
        if (choices === undefined) continue;
        expect(await wordsFor(name, longName(option), "")).toEqual(expect.arrayContaining([...choices]));
        const [first = ""] = choices;
        expect(await wordsFor(name, `${longName(option)}=${first}`)).toContain(
          `${longName(option)}=${first}`,
        );
      }
    }
  });

  it("is a database, a kind, a part, and a name of a part's values", async () => {
    expect(await complete(merostore, ["scan", ""])).toEqual({ words: [], paths: "folders" });
    expect(await wordsFor("scan", "db", "GroupMem")).toEqual(
      expect.arrayContaining(["GroupMember", "GroupMemberMetadata"]),
    );
    expect(await wordsFor("show", "db", "--json", "GroupMember", "groupId=ab", "")).not.toContain("groupId=");
    expect(await complete(merostore, ["scan", "db", "Alias", "ali"])).toMatchObject({
      words: [{ word: "aliasKind=" }],
      goesOn: true,
    });
    expect(await wordsFor("scan", "db", "Alias", "aliasKind=c")).toEqual(["aliasKind=context"]);
    expect(await wordsFor("scan", "db", "--column", "Gr")).toEqual(["Group"]);
    expect(await wordsFor("explain", "Met")).toEqual(["Meta"]);
    expect(await complete(merostore, ["export", "db", "-o", ""])).toEqual({ words: [], paths: "files" });
  });

  it("is the name of what an option takes", async () => {
    const node = fixturePath("core-0.11/node-a", "db");
    expect(await wordsFor("scan", node, "--group", "of")).toEqual(["office"]);
    expect(await wordsFor("verify", node, "--group=of")).toEqual(["--group=office"]);
    expect(await wordsFor("export", node, "--context", "")).toEqual(expect.arrayContaining(["lobby"]));
    expect(await wordsFor("scan", "no-such-folder", "--group", "")).toEqual([]);
  });

  it("is a kind at once where the environment names the database", async () => {
    process.env.MEROSTORE_DB = "node/data";
    try {
      expect(await wordsFor("scan", "GroupAli")).toEqual(["GroupAlias"]);
      expect(await wordsFor("scan", "Alias", "aliasKind=i")).toEqual(["aliasKind=identity"]);
    } finally {
      delete process.env.MEROSTORE_DB;
    }
  });

  it("is printed one word a line, also for words that no parser takes", async () => {
    expect(await cli("__complete", "scan", "--nope", "--li")).toMatchObject({
      status: 0,
      stdout: "--limit\tat most this many rows\n",
    });
  });
});

/** Completes a line in bash, as Tab does. */
function inBash(script: string, line: string): readonly string[] {
  const program = `${script}
COMP_LINE=$1
# The words as bash splits them: "=" is a word of its own.
words=\${1//=/ = }
read -ra COMP_WORDS <<< "$words"
[[ $1 == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_merostore
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", program, "bash", line], {
    cwd: root,
    encoding: "utf8",
    // A socket on stdin makes bash read its rc file.
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/bin:/bin" },
  });
  expect(stderr).toBe("");
  return linesOf(stdout);
}

describe("the script of bash", () => {
  it("completes commands, options, folders, kinds, parts and their names", async () => {
    const { stdout: script } = await cli("completion", "bash");
    expect(inBash(script, "merostore expla")).toEqual(["explain"]);
    expect(inBash(script, "merostore scan fixtures/core-0.11/node-a/d")).toEqual([
      "fixtures/core-0.11/node-a/db",
    ]);
    expect(inBash(script, "merostore scan db --rev")).toEqual([
      "--reverse",
      "--revision",
      "--reveal-secrets",
    ]);
    expect(inBash(script, "merostore scan db ContextMe")).toEqual(["ContextMeta"]);
    expect(inBash(script, "merostore scan db Alias sco")).toEqual(["scope="]);
    // Bash replaces only the text behind the "=".
    expect(inBash(script, "merostore scan db Alias aliasKind=con")).toEqual(["context"]);
    expect(inBash(script, "merostore scan db Alias aliasKind=context sc")).toEqual(["scope="]);
  });

  it.each(["bash", "zsh", "fish"])("is a script that %s takes", async (shell) => {
    const { status, stdout } = await cli("completion", shell);
    expect(status).toBe(0);
    expect(stdout).toContain("__complete");
    const file = join(folder.path, `completion.${shell}`);
    writeFileSync(file, stdout);
    const check = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    if (check.error === undefined) expect(check.stderr).toBe("");
  });

  it("refuses other shells", async () => {
    const { status, stderr } = await cli("completion", "bahs");
    expect(status).toBe(2);
    expect(stderr).toBe('merostore: "bahs" is not a supported shell; the shells are bash, zsh, fish\n');
  });
});
