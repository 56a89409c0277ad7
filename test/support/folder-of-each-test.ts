/** A temporary folder that every test of a file finds empty. */
import { afterAll, afterEach } from "vitest";
import { temporaryFolder } from "./fixtures.js";

export function folderOfEachTest(): { readonly path: string } {
  let folder = temporaryFolder();
  afterEach(() => {
    folder[Symbol.dispose]();
    folder = temporaryFolder();
  });
  afterAll(() => folder[Symbol.dispose]());
  return {
    get path() {
      return folder.path;
    },
  };
}
