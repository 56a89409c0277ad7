/**
 * A node in people's words: names, groups, members, contexts, histories.
 *
 * @example
 * import { openNode, sentenceText } from "merostore/node";
 *
 * await using node = await openNode("node/data");
 * for await (const { sentence } of node.history("office", { limit: 10 }))
 *   console.log(sentenceText(sentence, ({ name, id }) => name ?? id.slice(0, 8)));
 */
export * from "./browser.js";
export { type NodeOptions, OpenNode, openNode } from "./open.js";
