/**
 * The manifest of an application's interface (`wasm-abi/1`): its types, methods and events, and the type of its state.
 *
 * Bytes are Borsh's. Two things a manifest does not say: the width of an integer (u8, u16 and usize are emitted as `u32`,
 * i8, i16 and isize as `i32`) and an `Option` anywhere but directly at a field, parameter or return value.
 */

/** A manifest, checked: every name that it refers to is among its types. */
export interface Manifest {
  /** `wasm-abi/1` or `wasm-abi/1.N`. */
  readonly schemaVersion: string;
  readonly types: ReadonlyMap<string, TypeDefinition>;
  /** Empty in a manifest of the state alone. */
  readonly methods: readonly Method[];
  /** Empty in a manifest of the state alone. */
  readonly events: readonly EventDefinition[];
  /** The name of the type of the state: a key of `types`. Undefined where the application has none. */
  readonly stateRoot: string | undefined;
  /** The version of the state's layout; 1 where the manifest says none. */
  readonly stateVersion: number;
  readonly migrations: readonly Migration[];
  /** The structs of the private state. No emitter writes them: a person adds them by hand, under `private`. */
  readonly privateStructs?: readonly PrivateStructType[];
}

/** A struct of the private state: its type, and the key that it is stored under. */
export interface PrivateStructType {
  /** The name of the type: a key of `types`. */
  readonly type: string;
  /** The state key, 32 bytes; undefined means the SHA-256 of the type's name. */
  readonly key: Uint8Array | undefined;
}

/** A named type. */
export type TypeDefinition =
  | { readonly kind: "record"; readonly fields: readonly Field[] }
  | { readonly kind: "variant"; readonly variants: readonly Variant[] }
  | BytesType
  | { readonly kind: "alias"; readonly target: TypeReference };

/** One of the values that an enum may have. Borsh writes its place in the list, one byte, and the payload. */
export interface Variant {
  readonly name: string;
  readonly code: string | undefined;
  readonly payload: TypeReference | undefined;
}

/** A type where it is used: a name, or a type written there. */
export type TypeReference =
  | { readonly kind: "reference"; readonly name: string }
  | { readonly kind: ScalarName }
  | BytesType
  | { readonly kind: "list"; readonly items: TypeReference; readonly crdtType: CrdtType | undefined }
  | {
      readonly kind: "map";
      readonly key: TypeReference;
      readonly value: TypeReference;
      readonly crdtType: CrdtType | undefined;
    }
  | {
      readonly kind: "record";
      readonly fields: readonly Field[];
      readonly crdtType: CrdtType | undefined;
      /** What a register or shared storage holds. */
      readonly innerType: TypeReference | undefined;
    }
  | { readonly kind: "tuple"; readonly elements: readonly TypeReference[] };

/** A type without parts. `unit` takes no bytes. */
export type ScalarName = "bool" | "i32" | "i64" | "u32" | "u64" | "f32" | "f64" | "string" | "unit";

/** Bytes: raw ones where the size is fixed, after a u32 length otherwise. */
export interface BytesType {
  readonly kind: "bytes";
  /** In bytes; undefined where it varies. */
  readonly size: number | undefined;
  readonly encoding: string | undefined;
}

/** The conflict-free collection or register that a type is. */
export type CrdtType =
  | "lww_register"
  | "counter"
  | "vector"
  | "unordered_map"
  | "unordered_set"
  | "replicated_growable_array"
  | "sorted_map"
  | "authored_map"
  | "sorted_set"
  | "authored_vector"
  | "shared_storage";

/** A field of a record, or a parameter of a method. */
export interface Field {
  readonly name: string;
  readonly type: TypeReference;
  /** Whether the value is an `Option`: a byte 0 or 1 stands before it. */
  readonly nullable: boolean;
}

/** A method of the application. */
export interface Method {
  readonly name: string;
  readonly params: readonly Field[];
  readonly returns: TypeReference | undefined;
  readonly returnsNullable: boolean;
  readonly errors: readonly MethodError[];
  /** Whether it only reads; undefined where the manifest does not say. */
  readonly intent: "read_only" | "mutating" | undefined;
  /** Whether other contexts may call it; undefined where the manifest does not say. */
  readonly xcallCallable: boolean | undefined;
  /** Which contexts may call it; undefined means any in the namespace. */
  readonly xcallCallers: string | undefined;
}

/** An error that a method returns. */
export interface MethodError {
  readonly code: string;
  readonly payload: TypeReference | undefined;
}

/** An event that the application emits. */
export interface EventDefinition {
  readonly name: string;
  readonly payload: TypeReference | undefined;
}

/** A method that converts the state of an older version. */
export interface Migration {
  readonly method: string;
  readonly fromVersion: number;
}
