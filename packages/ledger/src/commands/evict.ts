import { toHex } from "merostore/internal";
import { command, text } from "merostore/internal/commands";
import { openRepository, pageNotFound, RepositoryView } from "../index.js";
import { ledgerName, pageIn } from "./opening.js";
import { name, ofRepository } from "./options.js";

/** Removes a page if nothing of it would be lost: the named one, or the first that can be removed. Status 1 if no page can be removed. */
export const evict = command({
  words: "evict <dir>",
  description: "remove a page from this device if nothing of it would be lost",
  writes: true,
  options: {
    name,
    page: text("<id>", "this page; the first that can be removed unless given"),
    ...ofRepository,
  },
  help: `Examples:
  merostore ledger evict data
  merostore ledger evict data --page 00112233445566778899aabbccddeeff

A page can be removed if all of it is in the cloud, or if it is empty, has no older commits and was never online.
Without --page, the command removes the least recently used page that can be removed. Status 1 if nothing was removed.`,

  async run(terminal, { dir }, options) {
    const repository = RepositoryView.at(dir, options.engine);
    const { name, id } = await namedPage(repository, dir, options);
    await using opened = await openRepository(dir, { engine: repository.engine, history: "keep" });
    const evicted = id === undefined ? await opened.cleanUp() : await (await opened.ledger(name)).evict(id);
    if (options.json) await terminal.line(JSON.stringify({ evicted }));
    else if (evicted)
      terminal.remark(`merostore: removed ${id === undefined ? "a page" : `the page ${toHex(id)}`}`);
    if (!evicted) terminal.remark("merostore: nothing was removed: no cloud has all of what is here");
    return evicted ? 0 : 1;
  },
});

/** The ledger and the page that the options name. A clean-up without --page covers all ledgers. */
async function namedPage(
  repository: RepositoryView,
  folder: string,
  { name: given, page }: { readonly name?: string | undefined; readonly page?: string | undefined },
): Promise<{ readonly name: string; readonly id: Uint8Array | undefined }> {
  const [first] = await repository.ledgers();
  const isForAll = page === undefined && given === undefined && first !== undefined;
  const name = isForAll ? first : await ledgerName(repository, folder, given);
  if (page === undefined) return { name, id: undefined };
  const id = await pageIn(repository, name, page);
  const isThere = (await repository.pages(name)).some((one) => toHex(one) === toHex(id));
  if (!isThere) throw pageNotFound(name, id);
  return { name, id };
}
