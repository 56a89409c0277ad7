/** `folder-store.ts` in browsers. */
import { invalidArgument } from "merostore/internal";
import type * as Node from "./folder-store.js";

export const folderStore: typeof Node.folderStore = (_, what) => {
  throw invalidArgument(`${what} must be a store of files, such as httpStore(): browsers have no folders`);
};
