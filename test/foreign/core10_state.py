"""Rows of State of core-1.0: entities and tries of children, as the description of the rows has them."""
import hashlib

from borsh import Bool, Bytes, Enum, Fixed, In, List, Map, Names, Number, Option, Refused, Struct, Text, Varint, whole, written

ID, U32, U64, BOOL = Fixed(32), Number(4), Number(8), Bool()
OPTION_ID = Option(ID)
ZEROS = "00" * 32


def sha(text):
    return hashlib.sha256(bytes.fromhex(text)).hexdigest()


class VarintText(Varint):
    """A varint as a value: a text in JSON."""

    def make(self, rnd):
        return str(rnd.choice([1, 127, 128, 300, rnd.randrange(1, 1 << 63)]))

    def write(self, out, value):
        super().write(out, int(value))

    def read(self, data):
        return str(super().read(data))


class Mask(Number):
    def __init__(self, end=16):
        super().__init__(1, refused=range(end, 256))

    def make(self, rnd):
        return rnd.randrange(self.refused.start)


def storage(on_behalf):
    fields = {"signature": Fixed(64), "nonce": U64, "signer": OPTION_ID}
    signature = Struct(**fields, **({"onBehalf": OPTION_ID} if on_behalf else {}))
    signed = Struct(signatureData=Option(signature))
    rules = Struct(rules=Struct(immutable=BOOL, moderators=OPTION_ID))
    return Enum([
        ("Public", Struct()),
        ("User", Struct(Struct(owner=ID), signed, rules)),
        ("Frozen", Struct()),
        ("Shared", Struct(Struct(writers=Map(ID, Mask())), signed)),
        ("SharedMember", Struct(Struct(anchor=ID), signed)),
    ])


CRDTS = "LwwRegister GCounter PnCounter Rga UnorderedMap SortedMap UnorderedSet SortedSet Vector UserStorage FrozenStorage SharedStorage"
TEXT = Text()


def type_id(path):
    """FNV-1a of 64 bits."""
    hash = 0xCBF29CE484222325
    for byte in path.encode():
        hash = (hash ^ byte) * 0x100000001B3 % (1 << 64)
    return str(hash)


class Crdt(Enum):
    """The kinds of today, and the spellings of older nodes, with the names of types."""

    def read(self, data):
        tag = data.data[data.at] if data.left() else 0xFF
        if tag not in (*range(0x0E), 0x8C):
            return super().read(data)
        data.tag()
        names = [TEXT.read(data) for _ in range({0: 1, 4: 2, 5: 2, 6: 1, 7: 1, 8: 1, 0x0C: 1, 0x8C: 1}.get(tag, 0))]
        if tag in (0x0C, 0x8C):
            return {"kind": "Custom", "typeId": type_id(names[0])}
        if tag == 0:
            return {"kind": "LwwRegister", "content": names[0] if names[0] in ("Opaque", "JsRoot") else "Value"}
        return {"kind": self.variants[0x80 + tag][0]}


CRDT = Crdt({
    **{0x80 + at: (name, Struct()) for at, name in enumerate(CRDTS.split())},
    0x80: ("LwwRegister", Struct(content=Names("Value", "Opaque", "JsRoot"))),
    0x8D: ("RotationLog", Struct()),
    0x8E: ("Custom", Struct(typeId=U64)),
    0x8F: ("FugueText", Struct()),
    0x90: ("FugueTextBlock", Struct()),
})
STORAGE, STORAGE_WITHOUT_ON_BEHALF = storage(True), storage(False)
ORDER = VarintText()


class Metadata:
    OPTIONAL = {"crdtType": (2, CRDT, None), "fieldName": (4, Text(), None), "schemaVersion": (8, U32, None), "order": (16, ORDER, "0")}

    def __init__(self, of):
        self.storage = of

    def make(self, rnd):
        updated = U64.make(rnd)
        optional = {name: of.make(rnd) if rnd.random() < 0.5 else none for name, (_, of, none) in self.OPTIONAL.items()}
        created = updated if rnd.random() < 0.5 else U64.make(rnd)
        return {"createdAt": created, "updatedAt": updated, "storageType": self.storage.make(rnd), **optional}

    def write(self, out, value):
        created = value["createdAt"] != value["updatedAt"]
        out.mark(bytes([created + sum(bit for name, (bit, _, none) in self.OPTIONAL.items() if value[name] != none)]))
        U64.write(out, value["updatedAt"])
        if created:
            U64.write(out, value["createdAt"])
        self.storage.write(out, value["storageType"])
        for name, (_, of, none) in self.OPTIONAL.items():
            if value[name] != none:
                of.write(out, value[name])

    def read(self, data):
        flags = data.tag()
        if flags > 0x1F:
            raise Refused("flags of metadata")
        updated = U64.read(data)
        created = U64.read(data) if flags & 1 else updated
        if flags & 1 and created == updated:
            raise Refused("created")
        value = {"createdAt": created, "updatedAt": updated, "storageType": self.storage.read(data)}
        signature = value["storageType"].get("signatureData")
        if signature is not None:
            signature.setdefault("onBehalf", None)
        for name, (bit, of, none) in self.OPTIONAL.items():
            value[name] = of.read(data) if flags & bit else none
        if flags & 16 and value["order"] == "0":
            raise Refused("order")
        return value


METADATA, METADATA_WITHOUT_ON_BEHALF = Metadata(STORAGE), Metadata(STORAGE_WITHOUT_ON_BEHALF)


class Slim:
    """The index part of the row of an entity. `own` is the hash of the data, and `derived` whether the row leaves it out."""

    def __init__(self, id, own=None, derived=False, metadata=METADATA):
        self.id, self.own, self.derived, self.metadata = id, own, derived, metadata

    def write(self, out, value):
        own, updated, deleted = value["ownHash"], value["metadata"]["updatedAt"], value["deletedAt"]
        full = value["fullHash"] != sha(own)
        zero = not self.derived and own == ZEROS
        at_update = deleted == updated
        flags = [value["parentId"] is not None, full, deleted is not None and not at_update, bool(value["deletedChildren"]), zero, at_update]
        out.mark(bytes([sum(there << bit for bit, there in enumerate(flags))]))
        for there, of, part in (
            (flags[0], ID, value["parentId"]), (not zero and not self.derived, ID, own), (full, ID, value["fullHash"]),
            (True, METADATA, value["metadata"]), (flags[2], U64, deleted), (flags[3], List(ID, 3, Varint()), value["deletedChildren"]),
        ):
            if there:
                of.write(out, part)

    def read(self, data):
        flags = data.tag()
        if flags > 0x3F or (flags & 0x10 and self.derived) or flags & 0x24 == 0x24:
            raise Refused("flags of an index")
        # A tombstone of an older node keeps what is left out today.
        older = self.own is None and flags & 0x34 == 4
        parent = ID.read(data) if flags & 1 else None
        own = self.own if self.derived else ZEROS if flags & 0x10 else ID.read(data)
        if not self.derived and not flags & 0x10 and own in (ZEROS, self.own) and not older:
            raise Refused("own hash")
        full = ID.read(data) if flags & 2 else sha(own)
        if flags & 2 and full == sha(own):
            raise Refused("full hash")
        metadata = self.metadata.read(data)
        deleted = U64.read(data) if flags & 4 else metadata["updatedAt"] if flags & 0x20 else None
        if flags & 4 and deleted == metadata["updatedAt"] and not older:
            raise Refused("deleted at")
        children = List(ID, 3, Varint()).read(data) if flags & 8 else []
        if flags & 8 and not children:
            raise Refused("no deleted children")
        return {
            "id": self.id, "parentId": parent, "ownHash": own, "fullHash": full, "metadata": metadata, "deletedAt": deleted,
            "deletedChildren": children,
        }


class EntityRow:
    """The row of the entity of an id."""

    def __init__(self, id):
        self.id = id.hex()

    def make(self, rnd):
        data = rnd.randbytes(rnd.randrange(50)).hex() + rnd.choice(["", self.id, self.id + "04000000", self.id[2:]])
        form = rnd.randrange(8)
        if form == 0:
            return {"index": None, "verbatim": None, "data": data}
        deleted = form < 3
        own = ZEROS if deleted else sha(data) if rnd.random() < 0.8 else ID.make(rnd)
        metadata = METADATA.make(rnd)
        return {
            "index": {
                "id": self.id, "parentId": OPTION_ID.make(rnd), "ownHash": own,
                "fullHash": sha(own) if rnd.random() < 0.5 else ID.make(rnd), "metadata": metadata,
                "deletedAt": rnd.choice([metadata["updatedAt"], U64.make(rnd)]) if deleted else None,
                "deletedChildren": [ID.make(rnd) for _ in range(rnd.choice([0, 0, 1, 3]))],
            },
            "verbatim": None,
            "data": None if deleted else data,
        }

    def cut(self, data):
        """The first byte for the place at which the id is cut out of data, and the data without it."""
        if data.endswith(self.id):
            return 0xF0, data[:-64]
        if data[-72:-8] == self.id:
            return 0xD0, data[:-72] + data[-8:]
        return 0xE0, data

    def write(self, out, value):
        index, data = value["index"], value["data"]
        if index is None:
            out.mark(b"\xe2" if value["verbatim"] is None else b"\xeb" if data is not None else b"\xe9")
            if value["verbatim"] is not None:
                Bytes(length=Varint()).write(out, value["verbatim"])
            return out.put(bytes.fromhex(data or ""))
        own = None if data is None else sha(data)
        derived = index["ownHash"] == own
        first, stored = (0xE0, "") if data is None else self.cut(data)
        part = written(Slim(self.id, own, derived), index)
        out.mark(bytes([first | 1 | (data is not None) << 1 | derived << 2]))
        Varint().write(out, len(part.bytes))
        start = len(out.bytes)
        out.put(part.bytes)
        out.marks += [start + at for at in part.marks]
        out.put(bytes.fromhex(stored))

    def read(self, data):
        """Any bytes are a row of State: those that are not the row of an entity are shown in hex."""
        all_bytes = bytes(data.data)
        data.at = len(all_bytes)
        try:
            return self.entity(In(all_bytes))
        except Refused:
            return all_bytes.hex()

    def entity(self, data):
        first = data.tag()
        magic, has_index, has_data = first & 0xE0, first & 1, first & 2
        derived, verbatim, cut = first & 4, first & 8, first & 16
        both = has_index and has_data
        if magic not in (0xE0, 0xC0) or (magic == 0xC0 and not cut) or not (has_index or has_data):
            raise Refused("first byte")
        if ((cut or derived) and (not both or verbatim)) or (verbatim and not has_index):
            raise Refused("first byte")
        part = data.take(Varint().read(data)) if has_index else b""
        rest = data.take(data.left())
        if rest and not has_data:
            raise Refused("bytes are left")
        if magic == 0xC0 and len(rest) < 4:
            raise Refused("no length of a key")
        text = rest.hex() if has_data else None
        if not has_index:
            return {"index": None, "verbatim": None, "data": text}
        if verbatim:
            return {"index": None, "verbatim": part.hex(), "data": text}
        if cut:
            text = text[:-8] + self.id + text[-8:] if magic == 0xC0 else text + self.id
        if has_data and self.cut(text)[0] != first & 0xF0:
            raise Refused("the id is not cut out")
        own = None if text is None else sha(text)
        try:
            index = whole(Slim(self.id, own, bool(derived)), part)
        except Refused:
            index = whole(Slim(self.id, own, bool(derived), METADATA_WITHOUT_ON_BEHALF), part)
        return {"index": index, "verbatim": None, "data": text}


class LooseVarint(Varint):
    """A varint whose tenth byte may have high bits, which are dropped."""

    def read(self, data):
        if any(byte < 0x80 for byte in data.data[data.at : data.at + 9]):
            return super().read(data)
        tenth = data.data[data.at + 9 : data.at + 10]
        if not tenth or tenth[0] >= 0x80 or tenth[0] == 0:
            raise Refused("varint")
        nine = data.take(9)
        data.tag()
        return (sum((byte & 0x7F) << 7 * at for at, byte in enumerate(nine)) | tenth[0] << 63) % (1 << 64)


class LooseText(VarintText):
    def read(self, data):
        return str(LOOSE.read(data))


LOOSE, LOOSE_ORDER = LooseVarint(), LooseText()


class TrieRow:
    """A row of the trie of children. Bytes that are none are shown in hex."""

    def make(self, rnd):
        order = rnd.choice(["0", ORDER.make(rnd)])
        if rnd.random() < 0.5:
            ids = sorted(rnd.randbytes(32).hex() for _ in range(rnd.randint(1, 16)))
            children = [{"id": id, "fullHash": rnd.randbytes(32).hex()} for id in ids]
            return {"kind": "Bucket", "nextOrder": order, "children": children}
        slots = [{"nibble": n, "hash": rnd.randbytes(32).hex()} for n in sorted(rnd.sample(range(16), rnd.randint(1, 16)))]
        return {"kind": "Node", "nextOrder": order, "count": str(rnd.randint(17, 9000)), "slots": slots}

    def write(self, out, value):
        bucket = value["kind"] == "Bucket"
        out.mark(b"\xb2" if bucket else b"\xa2")
        ORDER.write(out, value["nextOrder"])
        if bucket:
            return List(Struct(id=ID, fullHash=ID), 16, Varint()).write(out, value["children"])
        ORDER.write(out, value["count"])
        out.mark(sum(1 << slot["nibble"] for slot in value["slots"]).to_bytes(2, "big"))
        for slot in value["slots"]:
            ID.write(out, slot["hash"])

    def read(self, data):
        all_bytes = bytes(data.data)
        data.at = len(all_bytes)
        try:
            return self.row(In(all_bytes))
        except Refused:
            return all_bytes.hex()

    def row(self, data):
        tag = data.tag()
        if tag not in (0xA2, 0xB2):
            raise Refused("tag")
        order = LOOSE_ORDER.read(data)
        if tag == 0xB2:
            children = List(Struct(id=ID, fullHash=ID), 16, LOOSE).read(data)
            value = {"kind": "Bucket", "nextOrder": order, "children": children}
        else:
            count = LOOSE_ORDER.read(data)
            bits = int.from_bytes(data.take(2), "big")
            slots = [{"nibble": n, "hash": ID.read(data)} for n in range(16) if bits >> n & 1]
            value = {"kind": "Node", "nextOrder": order, "count": count, "slots": slots}
        if data.left():
            raise Refused("bytes are left")
        return value

    def flaw(self, value):
        """A form that nodes read and never write."""
        if value["kind"] == "Node":
            return int(value["count"]) <= 16 or not value["slots"] or ZEROS in [slot["hash"] for slot in value["slots"]]
        ids = [child["id"] for child in value["children"]]
        return len(ids) > 16 or ids != sorted(set(ids)) or ZEROS in [child["fullHash"] for child in value["children"]]
