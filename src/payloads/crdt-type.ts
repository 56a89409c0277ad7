/** The merge rule for concurrent changes of an entity. */
import type { Decoded, Reader } from "../codec/index.js";
import { type Codec, enumOf, names, Recoded, str, u64, type Writer } from "../codec/index.js";
import { CrdtType011 } from "./metadata.js";

const tagged = enumOf(
  "CrdtType",
  {
    /** A register: the last write wins. */
    LwwRegister: {
      /**
       * The content: a value, bytes that only the application understands, or the root of an application in JavaScript.
       */
      content: names("LwwKind", ["Value", "Opaque", "JsRoot"]),
    },
    /** A counter that only grows. */
    GCounter: {},
    /** A counter that grows and shrinks. */
    PnCounter: {},
    /** A text: replicated growable array. */
    Rga: {},
    /** A map without order. */
    UnorderedMap: {},
    /** A map in the order of its keys. */
    SortedMap: {},
    /** A set without order. */
    UnorderedSet: {},
    /** A set in the order of its elements. */
    SortedSet: {},
    /** A list. */
    Vector: {},
    /** One value for each account, which only its owner writes. */
    UserStorage: {},
    /** Values that nobody changes, by their hash. */
    FrozenStorage: {},
    /** A value that several accounts write. */
    SharedStorage: {},
    /** The log of changes of a shared entity's writers. Nodes of today read it and never write it. */
    RotationLog: {},
    /** A type of the application. */
    Custom: {
      /** The type: FNV-1a of 64 bits over its path. */
      typeId: u64,
    },
    /** A text of runs: tree of Fugue. */
    FugueText: {},
    /** A run of a text. */
    FugueTextBlock: {},
  },
  [0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8d, 0x8e, 0x8f, 0x90],
);
/** The merge rule for concurrent changes of an entity. */
export type CrdtType = Decoded<typeof tagged>;

/** Between 0.11.0-rc.27 and rc.30 an application's type was written with its path. */
const CUSTOM_BY_PATH = 0x8c;

class CrdtTypeCodec extends Recoded<CrdtType> {
  override get strict(): boolean {
    return false;
  }

  read(reader: Reader): CrdtType {
    const tag = reader.bytes[reader.at];
    if (tag === CUSTOM_BY_PATH) {
      reader.u8();
      return { kind: "Custom", typeId: customTypeId(reader.field("path", str)) };
    }
    return tag === undefined || tag >= 0x80 ? tagged.read(reader) : fromNames(CrdtType011.read(reader));
  }

  write(writer: Writer, value: CrdtType): void {
    tagged.write(writer, value);
  }
}

/** Converts the spelling of core-0.11, which names Rust types, as nodes of today do. */
function fromNames(type: CrdtType011): CrdtType {
  switch (type.kind) {
    case "LwwRegister": {
      const { innerType } = type;
      return {
        kind: type.kind,
        content: innerType === "Opaque" || innerType === "JsRoot" ? innerType : "Value",
      };
    }
    case "Custom":
      return { kind: type.kind, typeId: customTypeId(type.value) };
    default:
      return { kind: type.kind };
  }
}

/**
 * The merge rule for concurrent changes of an entity. 1, 2 or 9 bytes: the tags begin at 0x80. The spellings of older
 * nodes, with the names of Rust types, are read and are not canonical.
 */
export const CrdtType: Codec<CrdtType> = new CrdtTypeCodec(tagged, tagged.size);

const encoder = new TextEncoder();

/** The number of an application's type: FNV-1a of 64 bits over the UTF-8 of its path, `team_metrics::TeamStats`. */
export function customTypeId(path: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of encoder.encode(path)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
