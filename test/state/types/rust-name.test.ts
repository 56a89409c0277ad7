import { expect, it } from "vitest";
import { typeOfRustName } from "../../../src/state/types/from-rust.js";
import { parseRustName } from "../../../src/state/types/rust-name.js";

const own = (name: string) => (name === "Own" ? ({ kind: "record", name, fields: [] } as const) : undefined);
const typeOf = (name: string) => typeOfRustName(name, own);
const text = { kind: "text" };

it.each([
  ["alloc::string::String", text],
  ["&str", text],
  ["&'static mut str", text],
  ["usize", { kind: "u64", isSize: true }],
  ["()", { kind: "unit" }],
  ["alloc::vec::Vec<u8>", { kind: "bytes", size: undefined }],
  ["[u8; 32]", { kind: "bytes", size: 32 }],
  ["[u16; 2]", { kind: "tuple", elements: [{ kind: "u16" }, { kind: "u16" }] }],
  ["(u8, alloc::string::String)", { kind: "tuple", elements: [{ kind: "u8" }, text] }],
  ["core::option::Option<i8>", { kind: "option", of: { kind: "i8" } }],
  ["alloc::boxed::Box<u8>", { kind: "u8" }],
  ["calimero_primitives::identity::AccountId", { kind: "bytes", size: 32 }],
  ["calimero_storage::collections::counter::Counter", { kind: "counter", signed: false }],
  ["calimero_storage::collections::counter::Counter<true>", { kind: "counter", signed: true }],
  [
    "calimero_storage::collections::lww_register::LwwRegister<core::option::Option<u64>>",
    { kind: "register", of: { kind: "option", of: { kind: "u64" } }, stamp: 56 },
  ],
  ["calimero_storage::collections::frozen_value::FrozenValue<alloc::string::String>", text],
  ["my_app::Own", { kind: "record", name: "Own", fields: [] }],
  // The application's own type with a name of the standard library.
  ["my_app::String", { kind: "unknown", name: "my_app::String" }],
  ["my_app::Other<u8>", { kind: "unknown", name: "my_app::Other" }],
  ["Vec<", { kind: "unknown", name: "Vec<" }],
])("%s", (name, type) => {
  expect(typeOf(name)).toEqual(type);
});

it.each([
  "",
  "<>",
  "Vec<u8",
  "Vec<u8>>",
  "[u8;]",
  "[u8; x]",
  "a::",
  "(u8",
  "a b",
  `${"Vec<".repeat(60)}u8${">".repeat(60)}`,
  "x".repeat(5000),
])("%j is not a name", (name) => {
  expect(parseRustName(name)).toBeUndefined();
});
