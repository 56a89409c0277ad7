/**
 * The manifest of an application's interface (`wasm-abi/1`): its types, methods and events, and the type of its state.
 *
 * Values are in Borsh. A manifest leaves out two facts: the width of an integer (u8, u16 and usize are emitted as
 * `u32`, i8, i16 and isize as `i32`), and an `Option` anywhere but directly at a field, parameter or return value.
 */
import { hasMembers } from "../../options.js";

/** A manifest, checked: every name that it refers to is among its types. */
export interface Manifest {
  /** `wasm-abi/1` or `wasm-abi/1.N`. */
  readonly schemaVersion: string;
  /** The named types. */
  readonly types: ReadonlyMap<string, TypeDefinition>;
  /** Empty in a manifest of the state alone. */
  readonly methods: readonly Method[];
  /** Empty in a manifest of the state alone. */
  readonly events: readonly EventDefinition[];
  /** The name of the type of the state: a key of `types`. Undefined if the application has no state. */
  readonly stateRoot: string | undefined;
  /** The version of the state's layout; 1 if the manifest gives none. */
  readonly stateVersion: number;
  /** The methods that convert the state of older versions. */
  readonly migrations: readonly Migration[];
  /** The structs of the private state. No emitter writes them: a person adds them by hand, under `private`. */
  readonly privateStructs?: readonly PrivateStructType[];
}

/** A {@link Manifest} as an argument. */
export const isManifest = hasMembers(
  "a manifest, as parseManifest returns it",
  "schemaVersion",
  "types",
  "stateRoot",
);

/** A struct of the private state: its type, and the key that it is stored under. */
export interface PrivateStructType {
  /** The name of the type: a key of `types`. */
  readonly type: string;
  /** The state key, 32 bytes; undefined means the SHA-256 of the type's name. */
  readonly key: Uint8Array | undefined;
}

/** A named type. */
export type TypeDefinition =
  | {
      /** Tells the types apart. */
      readonly kind: "record";
      /** The fields, in the order of their bytes. */
      readonly fields: readonly Field[];
    }
  | {
      /** Tells the types apart. */
      readonly kind: "variant";
      /** The variants, in the order of their tags. */
      readonly variants: readonly Variant[];
    }
  | BytesType
  | {
      /** Tells the types apart. */
      readonly kind: "alias";
      /** The type that it is another name of. */
      readonly target: TypeReference;
    };

/** One of the values that an enum may have. Borsh writes its place in the list, one byte, and the payload. */
export interface Variant {
  /** Its name. */
  readonly name: string;
  /** The code that the application gave it; undefined without a code. */
  readonly code: string | undefined;
  /** The type of the payload; undefined if there is none. */
  readonly payload: TypeReference | undefined;
}

/** The use of a type: its name, or its definition in place. */
export type TypeReference =
  | {
      /** Tells the types apart. */
      readonly kind: "reference";
      /** The name of the type: a key of `types`. */
      readonly name: string;
    }
  | {
      /** The name of the type. */
      readonly kind: ScalarName;
    }
  | BytesType
  | {
      /** Tells the types apart. */
      readonly kind: "list";
      /** The type of the items. */
      readonly items: TypeReference;
      /** The collection that it is; undefined for a list inside the value. */
      readonly crdtType: CrdtName | undefined;
    }
  | {
      /** Tells the types apart. */
      readonly kind: "map";
      /** The type of the keys: text in every manifest, whatever the keys are. */
      readonly key: TypeReference;
      /** The type of the values. */
      readonly value: TypeReference;
      /** The collection that it is; undefined for a map inside the value, and for user and frozen storage. */
      readonly crdtType: CrdtName | undefined;
    }
  | {
      /** Tells the types apart. */
      readonly kind: "record";
      /** The fields; empty for registers, counters and shared storage. */
      readonly fields: readonly Field[];
      /** The register or collection that it is; undefined for a record inside the value. */
      readonly crdtType: CrdtName | undefined;
      /** The type of the value that a register or shared storage holds. */
      readonly innerType: TypeReference | undefined;
    }
  | {
      /** Tells the types apart. */
      readonly kind: "tuple";
      /** The types of the elements. */
      readonly elements: readonly TypeReference[];
    };

/** A type without parts. `unit` takes no bytes. */
export type ScalarName = "bool" | "i32" | "i64" | "u32" | "u64" | "f32" | "f64" | "string" | "unit";

/** Bytes: raw if the size is fixed, otherwise after a u32 length. */
export interface BytesType {
  /** Tells the types apart. */
  readonly kind: "bytes";
  /** In bytes; undefined if it varies. */
  readonly size: number | undefined;
  /** The form of the bytes in JSON, as the emitter states it; undefined if it states none. */
  readonly encoding: string | undefined;
}

/** The conflict-free collection or register that a type is. */
export type CrdtName =
  | "lww_register"
  | "counter"
  | "vector"
  | "unordered_map"
  | "unordered_set"
  | "replicated_growable_array"
  | "fugue_text"
  | "sorted_map"
  | "authored_map"
  | "authored_sorted_map"
  | "sorted_set"
  | "authored_vector"
  | "shared_storage";

/** A field of a record, or a parameter of a method. */
export interface Field {
  /** Its name. */
  readonly name: string;
  /** Its type. */
  readonly type: TypeReference;
  /** True if the value is an `Option`: a byte 0 or 1 stands before it. */
  readonly nullable: boolean;
}

/** A method of the application. */
export interface Method {
  /** Its name. */
  readonly name: string;
  /** The parameters, in their order. */
  readonly params: readonly Field[];
  /** The type that it returns; undefined for nothing. */
  readonly returns: TypeReference | undefined;
  /** True if the returned value is an `Option`. */
  readonly returnsNullable: boolean;
  /** The errors that it returns. */
  readonly errors: readonly MethodError[];
  /** `read_only` if it only reads; undefined if the manifest does not state it. */
  readonly intent: "read_only" | "mutating" | undefined;
  /** True if other contexts may call it; undefined if the manifest does not state it. */
  readonly xcallCallable: boolean | undefined;
  /** The contexts that may call it; undefined means any in the namespace. */
  readonly xcallCallers: string | undefined;
}

/** An error that a method returns. */
export interface MethodError {
  /** Its code. */
  readonly code: string;
  /** The type of the payload; undefined if there is none. */
  readonly payload: TypeReference | undefined;
}

/** An event that the application emits. */
export interface EventDefinition {
  /** Its name. */
  readonly name: string;
  /** The type of the payload; undefined if there is none. */
  readonly payload: TypeReference | undefined;
}

/** A method that converts the state of an older version. */
export interface Migration {
  /** The name of the method. */
  readonly method: string;
  /** The version of the state that it converts. */
  readonly fromVersion: number;
}
