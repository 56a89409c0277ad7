/** A temporary folder that is empty at the start of each test of a file. */
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
