/** The files that a user picked or dropped in a browser. */

import { invalidArgument } from "../errors.js";
import { PickedPages } from "./picked-pages.js";
import { type PickedFile, PickedSource } from "./picked-source.js";
import type { FileSet } from "./source.js";

/**
 * Returns the files of a database from `File` objects of `<input type="file" webkitdirectory>` or of a dropped folder.
 * A browser refuses to read a file that has changed since it was picked, so pick a copy of a live database.
 *
 * @param files all files of the folder that contains CURRENT, or of a parent folder
 * @param name the name of the database in messages
 * @throws MerostoreError INVALID_ARGUMENT if there are several databases side by side
 * @example
 *     const engine = await openFiles(pickedFiles(input.files ?? []));
 */
export function pickedFiles(files: Iterable<PickedFile>, name = "the picked folder"): FileSet {
  const byName = new Map(besideCurrent([...files], name).map((file) => [file.name, file]));
  const pages = new PickedPages();
  return {
    name,
    where: (file) => `${name}/${file}`,
    list: () => [...byName.keys()],
    open: (file) => {
      const picked = byName.get(file);
      return picked && new PickedSource(picked, `${name}/${file}`, pages);
    },
  };
}

/**
 * Returns the files beside the outermost CURRENT. A picked folder includes the files of all folders in it, and files of
 * two databases may have the same names.
 */
function besideCurrent(files: readonly PickedFile[], name: string): readonly PickedFile[] {
  const folders = files.filter((file) => file.name === "CURRENT").map(folderOf);
  const depth = (folder: string): number => folder.split("/").length;
  const least = folders.reduce((most, folder) => Math.min(most, depth(folder)), Number.POSITIVE_INFINITY);
  const [outermost, rival] = folders.filter((folder) => depth(folder) === least);
  if (rival !== undefined)
    throw invalidArgument(`${name} holds several databases, ${outermost} and ${rival}: pick one of them`);
  return outermost === undefined ? files : files.filter((file) => folderOf(file) === outermost);
}

/** `data/` for `data/CURRENT`. */
function folderOf({ name, webkitRelativePath = "" }: PickedFile): string {
  return webkitRelativePath.slice(0, -name.length);
}
