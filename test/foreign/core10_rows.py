"""
Random rows of core-1.0 with the values that they must have, and damaged ones with the opinion of this program on each:

    python3 core10_rows.py SEED ROWS DAMAGES [KIND]

prints for each kind ROWS rows, of those with operations and deltas eight times as many, and of each DAMAGES damaged copies, as
JSON on lines: column, key, kind, the parts of the key in their order, value, and `decoded` if the value is valid. A damaged row
has `damage`. No code is shared with the library.
"""
import json
import random
import sys

from borsh import UNIT, Enum, Layouts, List, Map, Number, Option, Pair, Raw, Refused, Struct, Within, whole, written
from core10_operations import (
    B12, B64, BOOL, BYTES, CERT, CHAIN, CREDENTIAL, EDGE, HANDOFF, HLC, HLC24, ID, IDS, NAMESPACE_ENTRY, OPTION_ID, REVOCATION,
    ROLE, ROLE_011, SCOPE, SIGNED_GROUP, TEXT, TEXTS, U8, U32, U64, WRITERS, Delta, proof,
)
from core10_state import EntityRow, Mask, TrieRow

U64BE = Number(8, "big")

# Operations in one form ------------------------------------------------------------------------------------------------------

AUTHOR = Struct(account=ID, device=ID, deviceKey=ID)


def effects(role, writers):
    member = Struct(group=ID, member=ID)
    return [
        ("Put", Struct(entity=ID, value=BYTES)),
        ("Delete", Struct(entity=ID)),
        ("SetWriters", Struct(object=ID, writers=writers)),
        ("MemberAdded", Struct(member, role=role)),
        ("MemberRemoved", member),
        ("AdminChanged", Struct(newAdmin=ID)),
        ("PolicyUpdated", Struct(policyBytes=BYTES)),
        ("SubgroupCreated", Struct(child=ID, parent=ID, restricted=BOOL, admin=ID)),
        ("SubgroupReparented", Struct(child=ID, newParent=ID)),
        ("SubgroupDeleted", Struct(scope=ID)),
        ("SubgroupVisibilitySet", Struct(scope=ID, restricted=BOOL)),
        ("DefaultCapabilitiesSet", Struct(group=ID, capabilities=U32)),
        ("MemberCapabilitySet", Struct(member, capabilities=U32)),
        ("Noop", Struct()),
        ("DeviceLinked", Struct(CHAIN, cert=CERT)),
        ("DeviceRevoked", Struct(account=ID, device=ID)),
        ("AccountKeysRotated", Struct(handoff=HANDOFF)),
        ("MemberJoinedWithDevice", Struct(member, Struct(role=role), CHAIN, cert=CERT)),
        ("Opaque", Struct(group=ID)),
    ]


PLAIN = {
    **dict(enumerate(effects(ROLE, WRITERS))),
    19: ("DeviceDescoped", Struct(account=ID, device=ID, scopeEpoch=U32)),
    20: ("TeeAuthoringPolicySet", Struct(group=ID, allowedMrtd=TEXTS)),
    21: ("TeeAuthorityEvidence", Struct(group=ID, member=ID, attestedKey=ID, mrtd=TEXT, attestedAt=U64)),
    24: ("SharedWritersRotated", Struct(context=ID, cell=ID, priorWriters=WRITERS, nonce=U64, newWriters=WRITERS)),
}


def carrying(carried):
    device = Option(Struct(CHAIN, cert=CERT))
    return Enum({
        **PLAIN,
        22: ("RelaySeated", Struct(carried=carried, group=ID, relay=ID, capabilities=U32, device=device, teeRoleFrom=OPTION_ID)),
        23: ("RootGuarded", Struct(Struct(carried=carried, group=ID, account=ID, counter=U64), CHAIN)),
    })


def operation(hlc, effect):
    return Struct(
        id=ID, scope=ID, parents=IDS, authorship=AUTHOR, hlc=hlc, payload=effect, expectedScopeRoot=ID, signature=B64,
    )


EFFECT = carrying(carrying(Enum(PLAIN)))
OPERATION = Layouts(**{
    "today": operation(HLC, EFFECT),
    "core-0.11": operation(HLC24, Enum(effects(ROLE_011, Map(ID, Mask(8))))),
    "earlier-24": operation(HLC24, EFFECT),
})

# Rows ----------------------------------------------------------------------------------------------------------------------

LEAF = Struct(leafBytes=BYTES, schemaAppKey=ID)
ENTITY = Struct(id=ID, entry=BYTES, index=BYTES, schemaAppKey=ID)
ABSORBED = Struct(
    id=ID, parents=IDS, hlc=HLC, payload=BYTES, nonce=B12, authorId=ID, sourcePeer=BYTES, keyId=ID,
    governancePosition=Option(EDGE), deltaSignature=Option(B64), governanceDrainAttempts=U8, producingAppKey=OPTION_ID,
    leaf=Option(LEAF), entity=Option(ENTITY), pendingApplication=OPTION_ID,
)
STATUS = Enum([("InProgress", Struct(total=U32, completed=U32, failed=U32)), ("Completed", Struct(completedAt=Option(U64)))])
UPGRADE = Struct(
    fromVersion=TEXT, toVersion=TEXT, migration=Option(BYTES), initiatedAt=U64, initiatedBy=ID, status=STATUS,
    cascadeHlc=Option(HLC), cascadeSeq=Option(U64), toStateVersion=U32,
)
RUNG = Struct(appKey=ID, applicationId=ID, package=TEXT, version=TEXT)
BINDING = Struct(account=ID, signPk=ID, kemPk=ID, deviceEpoch=U32, keyEpoch=U32, scopeEpoch=U32)
FOLLOWED = Struct(contexts=BOOL, subgroups=BOOL)
MEMBER = Struct(role=ROLE, privateKey=OPTION_ID, senderKey=OPTION_ID, autoFollow=FOLLOWED)
ACCOUNT_DEVICE = Layouts(
    Scope=Struct(certificate=CREDENTIAL, scope=proof(SCOPE)),
    Applications=Struct(certificate=CREDENTIAL, applications=IDS, scopeEpoch=U32),
)
DIRTY = Enum([("V1", Struct(before=ID, after=ID, ids=IDS))])


class GroupKey(Struct):
    """The last two numbers may lack."""

    def read(self, data):
        value = {"groupKey": ID.read(data), "createdAt": U64.read(data)}
        for name in ("epoch", "insertionSeq"):
            value[name] = U64.read(data) if data.left() else "0"
        return value


class Packed(Raw):
    """A value that is shown in hex, whatever it holds."""

    def __init__(self, of):
        self.of = of

    def make(self, rnd):
        return written(self.of, self.of.make(rnd)).bytes.hex()


class File:
    """A chunk of a file: two names, each after its length, and a number, as one part of a key."""

    def make(self, rnd):
        return [rnd.choice(["posts", "", "ä"]), rnd.choice(["meta.json", "a/b", ""]), rnd.choice([0, 7, 0xFFFFFFFF])]

    def write(self, out, value):
        index, file = value[0].encode(), value[1].encode()
        out.put(bytes([len(index)]) + index + len(file).to_bytes(2, "big") + file + value[2].to_bytes(4, "big"))


class FileLength(Raw):
    """The length of a file, 8 bytes. Any other bytes are shown in hex."""

    def make(self, rnd):
        return U64.make(rnd)

    def write(self, out, value):
        U64.write(out, value)

    def read(self, data):
        return U64.read(data) if data.left() == 8 else super().read(data)


SCOPES = "deltevh teedelt teefire heldops rotlate gcreatr nsfound unrdops voidldg swrotat".split()
SCOPE_VALUES = {
    "deltevh": ID, "teefire": UNIT, "gcreatr": ID, "nsfound": Pair(ID, ID), "rotlate": U64, "unrdops": U64,
    "teedelt": Enum([("Event", Struct(cause=ID, method=TEXT)), ("Timer", Struct(method=TEXT, tick=U64, everySecs=U64))]),
    "heldops": Struct(ops=List(Pair(ID, ID)), untracked=U64), "voidldg": Raw(1, 40), "swrotat": Raw(1, 40),
}


def group(prefix, kind, parts, value=UNIT):
    return ("Group", kind, bytes([prefix]), parts, lambda _: value)


# The first kinds have many forms.
MANIFOLD = 4
KINDS = [
    ("Delta", "ContextDagDelta", b"", [ID, ID], lambda parts: Delta(bytes.fromhex(parts[1]))),
    group(0x30, "GroupOpLog", [ID, U64BE], Within(SIGNED_GROUP)),
    group(0x38, "NamespaceGovOp", [ID, ID], Struct(skeletonBytes=Within(NAMESPACE_ENTRY))),
    ("UnifiedOp", "ScopeUnifiedOp", b"", [ID, ID], lambda _: Within(OPERATION, Raw())),
    ("AbsorbBuffer", "AbsorbBufferKey", b"\x4a", [ID, ID, ID], lambda _: Within(ABSORBED)),
    group(0x21, "GroupMember", [ID, ID], MEMBER),
    group(0x24, "GroupUpgradeKey", [ID], UPGRADE),
    group(0x3A, "GroupKeyEntry", [ID, ID], GroupKey(groupKey=ID, createdAt=U64, epoch=U64, insertionSeq=U64)),
    group(0x3E, "GroupUpgradeLadder", [ID], Struct(rungs=List(RUNG))),
    group(0x41, "GroupDeviceBinding", [ID, ID], BINDING),
    group(0x4B, "NodeDeviceCertificate", [], Struct(proof=Within(CREDENTIAL))),
    group(0x4C, "NodeAccountDeviceCert", [ID], Struct(certificate=CREDENTIAL, applications=IDS)),
    group(0x4D, "GroupAccountDevice", [ID, ID], ACCOUNT_DEVICE),
    group(0x4E, "NodeAccountNamespace", [], ID),
    group(0x4F, "GroupMemberIndexBackfilled", [ID]),
    group(0x50, "GroupMemberByAccount", [ID, ID]),
    group(0x51, "GroupAccountNamespace", [ID, ID], OPTION_ID),
    group(0x52, "GroupDeviceScopeFloor", [ID, ID], U32),
    group(0x53, "GroupAccountDeviceLabel", [ID, ID], Struct(label=TEXT, labelEpoch=U32)),
    group(0x54, "NodeRevokedFrom", [], Struct(account=ID, device=ID)),
    group(0x55, "GroupRevokedSigner", [ID, ID]),
    group(0x56, "GroupSignerAccount", [ID, ID, ID]),
    group(0x57, "GroupOwnerOpCounter", [ID], U64),
    group(0x58, "GroupSignerDevice", [ID, ID, ID]),
    group(0x59, "GroupAccountDeviceRevocation", [ID, ID, ID], proof(REVOCATION)),
    ("ContextWarrantNonce", "ContextWarrantNonce", b"", [ID, ID], lambda _: Struct(highWater=U64, window=U64)),
    ("SearchDirty", "SearchDirtyCounter", b"", [ID], lambda _: U64BE),
    ("SearchDirty", "SearchDirty", b"", [ID, U64BE], lambda _: DIRTY),
    ("SearchIndex", "SearchIndex", b"", [ID, File()], lambda parts: FileLength() if parts[1][2] == 0xFFFFFFFF else Raw()),
    ("ContextBlob", "ContextBlob", b"", [ID, ID], lambda _: UNIT),
    ("BlobOwner", "BlobOwner", b"", [ID, ID], lambda _: UNIT),
    *[
        ("Generic", "Generic", f"calimero-{scope}".encode(), [ID], lambda _, of=SCOPE_VALUES[scope]: Packed(of))
        for scope in SCOPES
    ],
    ("State", "ContextState", b"", [ID, 0, ID], lambda parts: EntityRow(bytes.fromhex(parts[2]))),
    ("State", "ContextState", b"", [ID, 3, ID], lambda _: TrieRow()),
    ("SnapshotStage", "SnapshotStage", b"", [ID, 0, ID], lambda parts: EntityRow(bytes.fromhex(parts[2]))),
]


def made(rnd, kind):
    """A row, and its value with the places of its tags and lengths."""
    column, name, prefix, types, value_of = kind
    parts = [of if isinstance(of, int) else of.make(rnd) for of in types]
    key = bytearray(prefix)
    for of, part in zip(types, parts):
        key += bytes([part]) if isinstance(of, int) else written(of, part).bytes
    of = value_of(parts)
    out = written(of, of.make(rnd))
    row = {"column": column, "kind": name, "key": key.hex(), "parts": parts}
    return row, of, out


def canonical(of, value, data):
    """Whether the bytes are those that are written for the value."""
    if isinstance(value, str) and isinstance(of, (EntityRow, TrieRow, FileLength)) and value == data.hex():
        return None
    return written(of, value).bytes == data and not (isinstance(of, TrieRow) and of.flaw(value))


def judged(row, of, data, **more):
    """A row with the opinion of this program on its value."""
    row = {**row, "value": data.hex(), **more}
    try:
        value = whole(of, data)
        return {**row, "decoded": value, "canonical": canonical(of, value, data)}
    except Refused as refusal:
        return {**row, "refused": str(refusal)}


def damages(rnd, out, count):
    """Damaged copies: cut, longer, or with another byte where a tag, a flag or a length is, or anywhere."""
    data = bytes(out.bytes)
    yield "longer", data + rnd.choice([b"\0", b"\1", b"\xff", rnd.randbytes(3)])
    for _ in range(count):
        way = rnd.randrange(5)
        copy = bytearray(data)
        if way == 0 or not data:
            yield "cut", data[: rnd.randrange(len(data) + 1)]
        elif way < 4 and out.marks:
            at = rnd.choice(out.marks)
            copy[at] = rnd.choice([copy[at] ^ 1, (copy[at] + 1) & 255, (copy[at] - 1) & 255, 2, 0x80, 0xFF, rnd.randrange(256)])
            yield f"mark at {at}", bytes(copy)
        else:
            at = rnd.randrange(len(data))
            copy[at] = rnd.randrange(256)
            yield f"byte at {at}", bytes(copy)


def main(seed, rows, count, only=None):
    for place, kind in enumerate(KINDS):
        if only not in (None, kind[1]):
            continue
        rnd = random.Random(f"{seed} {place}")
        for _ in range(rows * 8 if place < MANIFOLD else rows):
            row, of, out = made(rnd, kind)
            print(json.dumps(judged(row, of, bytes(out.bytes))))
            for damage, data in damages(rnd, out, count):
                if data != bytes(out.bytes):
                    print(json.dumps(judged(row, of, data, damage=damage)))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
