/** The numbers of the fields of a MANIFEST. */

/** Tags of the fields of a version edit, as in RocksDB's `version_edit.h`. */
export const Tag = {
  Comparator: 1,
  LogNumber: 2,
  NextFile: 3,
  LastSequence: 4,
  CompactCursor: 5,
  DeletedFile: 6,
  NewFile: 7,
  PreviousLog: 9,
  MinLogToKeep: 10,
  NewFile2: 100,
  NewFile3: 102,
  NewFile4: 103,
  Column: 200,
  ColumnAdd: 201,
  ColumnDrop: 202,
  MaxColumn: 203,
  InAtomicGroup: 300,
  BlobFile: 400,
  BlobGarbage: 401,
  /** A field with this bit is length-prefixed and may be skipped. */
  SkippableBit: 1 << 13,
  DatabaseId: (1 << 13) + 1,
  LogAddition: (1 << 13) + 7,
  LogDeletion: (1 << 13) + 8,
} as const;

/** Tags of the custom fields of a `NewFile4`. */
export const FileTag = {
  End: 1,
  MinLogToKeep: 3,
  UniqueId: 12,
  /** An unknown field with this bit must not be skipped. */
  NeededBit: 1 << 6,
  Path: 65,
} as const;
