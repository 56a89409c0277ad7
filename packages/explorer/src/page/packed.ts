/** Unpacks content that the build packed: gzip, in base64. */
export async function unpacked(text: string): Promise<ArrayBuffer> {
  const compressed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
