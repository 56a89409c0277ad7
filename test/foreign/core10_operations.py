"""Operations, delegations and deltas of core-1.0, field by field from the description of the rows."""
from borsh import (
    Bool, Bytes, Enum, Fixed, Layouts, List, Map, Names, Number, Option, Pair, Refused, Struct, Text, Varint, Within,
)

ID, B12, B64 = Fixed(32), Fixed(12), Fixed(64)
IDS = List(ID)
U8, U32, U64 = Number(1), Number(4), Number(8)
TEXT, BYTES, BOOL = Text(), Bytes(), Bool()
OPTION_ID = Option(ID)
HLC = Struct(time=U64, id=Number(8, refused=(0,)))
HLC24 = Struct(time=U64, id=Number(16, refused=(0,)))
ROLE_011 = Names("Admin", "Member", "ReadOnly", "ReadOnlyTee")
ROLE = Names("Admin", "Member", "ReadOnly", "ReadOnlyTee", "RelayTee")
METADATA = Struct(name=Option(TEXT), data=Map(TEXT, TEXT))

# Accounts ----------------------------------------------------------------------------------------------------------------

GENESIS = Struct(version=U8, rootSignPk=ID)
HANDOFF = Struct(account=ID, fromEpoch=U32, newRootSignPk=ID, signature=B64)
CERT = Struct(account=ID, device=ID, signPk=ID, kemPk=ID, keyEpoch=U32, deviceEpoch=U32, signature=B64)
REVOCATION = Struct(account=ID, device=ID, keyEpoch=U32, signature=B64)
ENDORSEMENT = Struct(account=ID, member=ID, signature=B64)
SCOPE = Struct(account=ID, device=ID, applications=IDS, scopeEpoch=U32, keyEpoch=U32, signature=B64)
LABEL = Struct(account=ID, device=ID, label=TEXT, labelEpoch=U32, keyEpoch=U32, signature=B64)
OWNER_KINDS = "TransferOwnership AdminChanged GroupDelete TeeAdmissionPolicy TeeAuthoringPolicy TeeReleaseAdmissionPolicy"
OWNER_OP = Struct(
    account=ID, namespace=ID, group=ID, kind=Names(*OWNER_KINDS.split()), opDigest=ID, counter=U64, keyEpoch=U32, signature=B64,
)
CHAIN = Struct(genesis=GENESIS, chain=List(HANDOFF, 2))


def proof(statement):
    return Struct(CHAIN, statement=statement)


CREDENTIAL = proof(CERT)

# Delegations ---------------------------------------------------------------------------------------------------------------

PARTIES = Struct(authorAccount=ID, authorDeviceKey=ID, executor=ID)
END = Struct(nonce=U64, notAfter=U64, signature=B64)
HEADS = Struct(accountHeads=IDS, governanceFloor=IDS)


def delegated(warrant, key=True):
    proofs = Struct(warrant=warrant, authorProof=CREDENTIAL, executorProof=CREDENTIAL)
    return Struct(proofs, executorKey=ID) if key else proofs


WARRANT_C = Struct(
    Struct(context=ID), PARTIES,
    Struct(executorKey=ID, releaseBytecodeId=ID, releaseVersion=TEXT, method=TEXT, intentHash=ID), HEADS, END,
)
WARRANT_B = Struct(Struct(context=ID), PARTIES, Struct(appVersion=ID, method=TEXT, intentHash=ID), HEADS, END)
WARRANT_A = Struct(Struct(context=ID), PARTIES, Struct(intentHash=ID), END)
CREATION = delegated(Struct(
    Struct(group=ID, seed=ID), PARTIES,
    Struct(executorKey=ID, applicationId=ID, serviceName=Option(TEXT), name=Option(TEXT), initHash=ID), HEADS, END,
))
GOVERNANCE = delegated(Struct(
    Struct(scope=ID, kind=Names("Group", "Root")), PARTIES, Struct(executorKey=ID, opHash=ID), HEADS, END,
))
DELEGATION = Layouts(
    lambda value: all(value[by]["genesis"]["version"] == 2 for by in ("authorProof", "executorProof")),
    C=delegated(WARRANT_C), B=delegated(WARRANT_B), A=delegated(WARRANT_A, False),
)

# Operations on groups ----------------------------------------------------------------------------------------------------------

RELEASE = Struct(packageName=TEXT, version=TEXT)
REMOVAL = Struct(member=ID, expectedGroupStateHash=ID, expectedContextStateHashes=List(Pair(ID, ID)))
CAPABILITY = Struct(contextId=ID, member=ID, capability=Number(1, refused=(0,)))
TEXTS = List(TEXT)
TEE_POLICY = Struct(**{
    f"allowed{name}": TEXTS for name in "Mrtd Rtmr0 Rtmr1 Rtmr2 Rtmr3 TcbStatuses".split()
}, acceptMock=BOOL)
QUOTE = Struct(quoteHash=ID, mrtd=TEXT, rtmr0=TEXT, rtmr1=TEXT, rtmr2=TEXT, rtmr3=TEXT, tcbStatus=TEXT)
REGISTERED = Struct(contextId=ID, applicationId=ID, blobId=ID, source=TEXT, serviceName=Option(TEXT))
CASCADE = Struct(fromAppKey=ID, appKey=ID, targetApplicationId=ID, toStateVersion=U32, migration=Option(BYTES))
LINKED = Struct(CHAIN, cert=CERT, endorsement=ENDORSEMENT)
DEVICE = Struct(account=ID, device=ID)
SIGNED_SCOPE = Struct(scope=proof(SCOPE))
EVIDENCE = Struct(quote=BYTES, collateral=Option(BYTES), attestedAt=U64)
ATTESTED = Struct(Struct(member=ID, attestedKey=ID), EVIDENCE)
RELEASE_POLICY = Struct(allowedProfiles=TEXTS, minRelease=Option(TEXT), allowedTcbStatuses=TEXTS, acceptMock=BOOL)
MODE = Struct(mode=Names("Replica", "Relay"))
WRITERS = Map(ID, U8)

GROUP_011 = [
    ("Noop", Struct()),
    ("MemberAdded", Struct(member=ID, role=ROLE_011)),
    ("MemberRemoved", REMOVAL),
    ("MemberLeft", REMOVAL),
    ("MemberRoleSet", Struct(member=ID, role=ROLE_011)),
    ("MemberCapabilitySet", Struct(member=ID, capabilities=U32)),
    ("DefaultCapabilitiesSet", Struct(capabilities=U32)),
    ("TargetApplicationSet", Struct(appKey=ID, targetApplicationId=ID)),
    ("ContextRegistered", REGISTERED),
    ("ContextDetached", Struct(contextId=ID)),
    ("SubgroupVisibilitySet", Struct(mode=Names("Open", "Restricted"))),
    ("GroupMetadataSet", METADATA),
    ("MemberMetadataSet", Struct(Struct(member=ID), METADATA)),
    ("ContextMetadataSet", Struct(Struct(contextId=ID), METADATA)),
    ("GroupDelete", Struct()),
    ("GroupMigrationSet", Struct(migration=Option(BYTES))),
    ("ContextCapabilityGranted", CAPABILITY),
    ("ContextCapabilityRevoked", CAPABILITY),
    ("TeeAdmissionPolicySet", TEE_POLICY),
    ("MemberJoinedViaTeeAttestation", Struct(Struct(member=ID), QUOTE, Struct(role=ROLE_011))),
    ("MemberSetAutoFollow", Struct(target=ID, autoFollowContexts=BOOL, autoFollowSubgroups=BOOL)),
    ("TransferOwnership", Struct(newOwner=ID)),
    ("CascadeUpgrade", Struct(CASCADE, cascadeHlc=HLC24)),
    ("GroupKeyRotated", Struct(departed=ID)),
    ("AccountDeviceLinked", LINKED),
    ("AccountDeviceUnlinked", Struct(DEVICE, proof=Option(proof(REVOCATION)))),
    ("AccountKeysRotated", Struct(handoff=HANDOFF)),
    ("GroupKeyRotatedForDevice", Struct(device=ID)),
]
CHANGED = {
    "MemberAdded": Struct(member=ID, role=ROLE),
    "MemberRoleSet": Struct(member=ID, role=ROLE),
    "TargetApplicationSet": Struct(Struct(appKey=ID, targetApplicationId=ID), RELEASE),
    "ContextRegistered": Struct(REGISTERED, RELEASE),
    "MemberJoinedViaTeeAttestation": Struct(Struct(member=ID), QUOTE, Struct(role=ROLE)),
    "CascadeUpgrade": Struct(Struct(CASCADE, cascadeHlc=HLC), RELEASE),
    "AccountDeviceLinked": Struct(LINKED, SIGNED_SCOPE),
}
NEW = {
    28: ("AccountDeviceCertified", Struct(Struct(credential=CREDENTIAL), SIGNED_SCOPE)),
    29: ("AccountNamespaceGained", Struct(namespace=ID, application=OPTION_ID)),
    30: ("AccountNamespaceLeft", Struct(namespace=ID)),
    31: ("AccountDeviceDescoped", Struct(DEVICE, Struct(application=OPTION_ID), SIGNED_SCOPE)),
    32: ("AccountDeviceLabelled", Struct(DEVICE, label=TEXT, labelEpoch=U32, rootProof=Option(proof(LABEL)))),
    33: ("TeeAuthoringPolicySet", Struct(allowedMrtd=TEXTS)),
    34: ("TeeAuthorityEvidence", Struct(ATTESTED, credential=CREDENTIAL)),
    35: ("TeeReleaseAdmissionPolicySet", RELEASE_POLICY),
    36: ("TeeVaultKeyDelivered", Struct(vaultKey=ID, recipientKey=ID, envelope=BYTES)),
    37: ("TeeAdmissionPolicySetV2", Struct(TEE_POLICY, MODE)),
    38: ("TeeReleaseAdmissionPolicySetV2", Struct(RELEASE_POLICY, MODE)),
    39: ("ContextRegisteredOnBehalf", Struct(REGISTERED, RELEASE, Struct(name=Option(TEXT), delegation=CREATION))),
    41: ("FoundingRelayAttested", Struct(
        Struct(credential=CREDENTIAL), EVIDENCE, Struct(releaseVersion=TEXT, profile=TEXT, acceptMock=BOOL),
    )),
    43: ("SharedWritersRotated", Struct(context=ID, cell=ID, priorWriters=WRITERS, nonce=U64, newWriters=WRITERS)),
}


def wrapping(operations, behalf, guarded):
    """An enum with the two operations that are around others, but never around one another."""
    inner = Enum(operations)
    return Enum({
        **inner.variants,
        behalf: ("OnBehalf", Struct(op=inner, delegation=GOVERNANCE)),
        guarded: ("RootGuarded", Struct(op=inner, proof=proof(OWNER_OP))),
    })


TODAY = {**{tag: (name, CHANGED.get(name, of)) for tag, (name, of) in enumerate(GROUP_011)}, **NEW}
GROUP = wrapping(TODAY, 40, 42)
EARLIER = {
    **TODAY,
    31: ("AccountDeviceDescoped", Struct(DEVICE, SIGNED_SCOPE)),
    34: ("TeeAuthorityEvidence", ATTESTED),
}
GROUP_EARLIER = wrapping(EARLIER, 40, 42)
# From group schema 11 on operations name releases; timestamps had 24 bytes until later.
GROUP_EARLIER_24 = wrapping({**EARLIER, 22: ("CascadeUpgrade", Struct(CASCADE, Struct(cascadeHlc=HLC24), RELEASE))}, 40, 42)


def signed(name, operation):
    first = Struct(version=U8, **{name: ID}, parentOpHashes=IDS, signer=ID, nonce=U64, op=operation)
    return Struct(first, signature=B64)


SIGNED_GROUP = Layouts(
    lambda value: (value["kind"] == "core-0.11") == (value["version"] <= 10),
    **{"today": signed("groupId", GROUP), "earlier": signed("groupId", GROUP_EARLIER)},
    **{"earlier-24": signed("groupId", GROUP_EARLIER_24), "core-0.11": signed("groupId", Enum(GROUP_011))},
)

# Operations on namespaces ------------------------------------------------------------------------------------------------------

SEALED = Struct(keyId=ID, encrypted=Struct(nonce=B12, ciphertext=BYTES))
RECIPIENT = Enum([("Member", Struct(identity=ID, ephemeralPk=ID)), ("Device", Struct(device=ID, ephemeralPk=ID))])
ENVELOPE = Struct(recipient=RECIPIENT, sender=ID, nonce=B12, ciphertext=BYTES, signature=B64)
ROTATION = Struct(newKeyId=ID, envelopes=List(ENVELOPE, 2))
INVITED = Struct(inviterIdentity=ID, groupId=ID, expirationTimestamp=U64, invitationNonce=ID, invitedRole=U8)
HINTS = Struct(applicationId=OPTION_ID, appKey=OPTION_ID)
INVITER = Struct(inviterSignature=TEXT, inviterAccount=OPTION_ID)
INVITATION_011 = Struct(Struct(invitation=INVITED), INVITER, HINTS)
INVITATION = Struct(Struct(invitation=Struct(INVITED, admitters=IDS)), INVITER, Struct(admitterAddrs=TEXTS), HINTS)
CREATED = Struct(groupId=ID, parentId=ID, restricted=BOOL, admin=ID)
FOUNDED = Struct(founder=ID, account=CREDENTIAL)


def root(invitation, role, created, founded, quote, founding="NamespaceCreatedV2"):
    joined = Struct(Struct(groupId=ID, member=ID), QUOTE, Struct(role=role, account=CREDENTIAL))
    return dict(enumerate([
        ("GroupCreated", created),
        ("GroupReparented", Struct(childGroupId=ID, newParentId=ID)),
        ("GroupDeleted", Struct(rootGroupId=ID, cascadeGroupIds=IDS, cascadeContextIds=IDS)),
        ("AdminChanged", Struct(newAdmin=ID)),
        ("PolicyUpdated", Struct(policyBytes=BYTES)),
        ("MemberJoined", Struct(member=ID, signedInvitation=invitation, account=CREDENTIAL)),
        ("KeyDelivery", Struct(groupId=ID, envelope=ENVELOPE)),
        ("MemberJoinedOpen", Struct(member=ID, groupId=ID, account=CREDENTIAL)),
        ("MemberJoinedAt", Struct(member=ID, signedInvitation=invitation, joinedAt=U64, account=CREDENTIAL)),
        (founding, founded),
        ("MemberJoinedViaTeeAttestation", Struct(joined, quote=BYTES) if quote else joined),
    ]))


SALTED = (INVITATION, ROLE, Struct(CREATED, salt=ID), Struct(FOUNDED, salt=ID))
ROOT = root(*SALTED, True)
ROOT_WITHOUT_QUOTE = root(*SALTED, False)
ROOT_WITHOUT_SALT = root(INVITATION, ROLE, CREATED, FOUNDED, False)
ROOT_011 = root(INVITATION_011, ROLE_011, CREATED, FOUNDED, False, "NamespaceCreated")


def namespace(root_op, before=False):
    operations = [
        ("Root", Struct(value=root_op)),
        ("Group", Struct(Struct(groupId=ID), SEALED, Struct(keyRotation=Option(ROTATION)))),
        ("RootSealed", SEALED),
        ("RootRelaySealed", SEALED),
        ("RootSealedForGroup", Struct(Struct(groupId=ID), SEALED)),
    ]
    return signed("namespaceId", Enum(operations[:2] if before else operations))


ADMITTED = Struct(admitterEndorsement=Option(Struct(signer=ID, signature=B64)))
SIGNED_NAMESPACE = Layouts(
    lambda value: (value["kind"] == "core-0.11") == (value["version"] <= 7),
    today=Struct(namespace(wrapping(ROOT, 11, 12)), ADMITTED),
    withoutQuote=Struct(namespace(wrapping(ROOT_WITHOUT_QUOTE, 11, 12)), ADMITTED),
    withoutSalt=Struct(namespace(wrapping(ROOT_WITHOUT_SALT, 11, 12)), ADMITTED),
    **{"core-0.11": namespace(Enum(ROOT_011), True)},
)
OPAQUE = Struct(deltaId=ID, parentOpHashes=IDS, groupId=ID, signer=ID)
NAMESPACE_ENTRY = Enum([("Signed", Struct(value=SIGNED_NAMESPACE)), ("Opaque", Struct(value=OPAQUE))])

# Deltas --------------------------------------------------------------------------------------------------------------------


class Heads(Struct):
    """At most 32 heads, none twice."""

    def read(self, data):
        value = super().read(data)
        heads = value["governanceDagHeads"]
        if len(heads) > 32 or len(set(heads)) < len(heads):
            raise Refused("heads")
        return value


EDGE = Heads(governanceDagHeads=List(ID, 4))
ACTIONS = Bytes(9, 90)
BORSH = Struct(deltaId=ID, parents=IDS, actions=ACTIONS)
TAIL = Struct(
    applied=BOOL, checkpointRootHash=OPTION_ID, events=Option(BYTES), authorId=OPTION_ID,
    governancePositionBlob=Option(Within(EDGE)), deltaSignature=Option(B64),
)


class Compact:
    """Version 1: flags, then fields; lengths and counts are varints."""

    START = Struct(parents=List(ID, 3, Varint()), actions=Bytes(9, 200, Varint()), hlc=HLC)
    OPTIONAL = {
        "checkpointRootHash": ID, "events": Bytes(length=Varint()), "authorId": ID,
        "governancePositionBlob": Within(EDGE, Bytes(length=Varint())), "deltaSignature": B64, "delegation": DELEGATION,
    }

    def make(self, rnd):
        optional = {name: of.make(rnd) if rnd.random() < 0.5 else None for name, of in self.OPTIONAL.items()}
        return {**self.START.make(rnd), "applied": rnd.random() < 0.5, **optional}

    def write(self, out, value):
        present = [value["applied"], *(value[name] is not None for name in self.OPTIONAL)]
        out.mark(b"\xcd")
        out.mark(b"\x01")
        out.mark(bytes([sum(is_there << bit for bit, is_there in enumerate(present))]))
        self.START.write(out, value)
        for name, of in self.OPTIONAL.items():
            if value[name] is not None:
                of.write(out, value[name])

    def read(self, data):
        if data.take(2) != b"\xcd\x01":
            raise Refused("magic")
        flags = data.tag()
        if flags & 0x80:
            raise Refused("flags")
        start = self.START.read(data)
        rest = {name: of.read(data) if flags >> bit & 1 else None for bit, (name, of) in enumerate(self.OPTIONAL.items(), 1)}
        return {**start, "applied": bool(flags & 1), **rest}


COMPACT = Layouts(v1=Compact())
BORSH_DELTAS = Layouts(**{
    "legacy-16-delegation": Struct(BORSH, Struct(hlc=HLC), TAIL, Struct(delegation=Option(DELEGATION))),
    "legacy-24-delegation": Struct(BORSH, Struct(hlc=HLC24), TAIL, Struct(delegation=Option(DELEGATION))),
    "legacy-24": Struct(BORSH, Struct(hlc=HLC24), TAIL),
})


class Delta:
    """The row of a delta whose id the key has."""

    def __init__(self, id):
        self.id = id

    def make(self, rnd):
        value = rnd.choice([COMPACT, BORSH_DELTAS]).make(rnd)
        return {**value, "deltaId": self.id.hex()} if "deltaId" in value else value

    def write(self, out, value):
        (COMPACT if value["kind"] == "v1" else BORSH_DELTAS).write(out, value)

    def read(self, data):
        if data.data.startswith(self.id) or not data.data.startswith(b"\xcd\x01"):
            return BORSH_DELTAS.read(data)
        return COMPACT.read(data)
