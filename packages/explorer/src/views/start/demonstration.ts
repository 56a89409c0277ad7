/** The demonstration: a real node's database, which comes with the page. */
import { unpacked } from "../../page/packed.js";
import type { DatabaseSource, FolderFile } from "../../page/worker-client.js";

/** The files of the demonstration by path, each compressed with gzip, in base64, as the build writes them. */
type PackedFiles = Readonly<Record<string, string>>;

/** The demonstration's files. A page that was saved as one file has them in a script. */
async function packed(): Promise<PackedFiles> {
  const saved = document.getElementById("demonstration")?.textContent;
  if (saved !== undefined) return JSON.parse(saved) as PackedFiles;
  const response = await fetch(new URL("demonstration.json", document.baseURI));
  if (!response.ok) throw new Error("the demonstration is not beside this page");
  return (await response.json()) as PackedFiles;
}

/** Unpacks the demonstration. */
export async function demonstration(): Promise<DatabaseSource> {
  const files: FolderFile[] = [];
  for (const [path, content] of Object.entries(await packed())) {
    const file = new File([await unpacked(content)], path.split("/").at(-1) ?? path);
    files.push({ path, file });
  }
  return { from: "folder", name: "node-a", files };
}
