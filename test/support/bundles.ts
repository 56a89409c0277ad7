/** Modules and bundles with a manifest, made for tests: no fixture has one. */
import { gzipSync } from "node:zlib";

/** An unsigned number of at most 32 bits in the encoding of WebAssembly. */
export function leb128(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** A custom section of a module. */
export function customSection(name: string, content: string | Uint8Array): Buffer {
  const body = Buffer.concat([leb128(name.length), Buffer.from(name), Buffer.from(content)]);
  return Buffer.concat([Buffer.of(0), leb128(body.length), body]);
}

/** An empty module with sections. */
export function wasmOf(...sections: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from("0061736d01000000", "hex"), ...sections]);
}

/** An empty module with a manifest. */
export function wasmWith(manifest: object): Buffer {
  return wasmOf(customSection("calimero_abi_v1", JSON.stringify(manifest)));
}

/** A manifest that is known by the name of its state. */
export const manifestNamed = (root: string, stateVersion = 1) => ({
  schema_version: "wasm-abi/1",
  types: { [root]: { kind: "record", fields: [] } },
  methods: [],
  events: [],
  state_root: root,
  state_version: stateVersion,
});

/** A tar archive in the format of POSIX. */
export function tarOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, content]) => tarEntry(path, Buffer.from(content)));
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** An entry of an archive: the header and the content, both filled up to 512 bytes. */
export function tarEntry(path: string, content: Uint8Array, type = "0"): readonly Buffer[] {
  const header = Buffer.alloc(512);
  header.write(path.slice(0, 100), 0);
  header.write("0000644\0", 100);
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)];
}

/** A bundle: a compressed archive. */
export function bundleOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  return gzipSync(tarOf(files));
}
