// A program to be killed: `node encryption-rewriter.mjs SOURCE TARGET KEY NEW-KEY`, keys as hex, or `-` for none. Prints `open`
// when it begins, and 1 when the new database is there.
import { rewriteDatabase } from "../../dist/transfer/index.js";

const [source, target, key, newKey] = process.argv.slice(2);
const bytesOf = (hex) => (hex === "-" ? undefined : Uint8Array.from(Buffer.from(hex, "hex")));
process.stdout.write("open\n");
await rewriteDatabase(source, target, { masterKey: bytesOf(key), newMasterKey: bytesOf(newKey) });
process.stdout.write("1\n");
