"""
Types of Borsh whose values are their JSON forms. Each type makes random values, writes them, and reads them back or refuses
them. No code is shared with the library.
"""
import struct


class Refused(Exception):
    pass


class Out:
    """Bytes that are written, and the places of tags, flags and lengths among them."""

    def __init__(self):
        self.bytes, self.marks = bytearray(), []

    def mark(self, data):
        self.marks.append(len(self.bytes))
        self.bytes += data

    def put(self, data):
        self.bytes += data


class In:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count > len(self.data) - self.at:
            raise Refused("past the end")
        self.at += count
        return self.data[self.at - count : self.at]

    def left(self):
        return len(self.data) - self.at

    def tag(self):
        return self.take(1)[0]


class Fixed:
    """Bytes of a fixed length."""

    def __init__(self, size):
        self.size = size

    def make(self, rnd):
        return rnd.randbytes(self.size).hex() if rnd.random() < 0.97 else bytes(self.size).hex()

    def write(self, out, value):
        out.put(bytes.fromhex(value))

    def read(self, data):
        return data.take(self.size).hex()


class Number:
    """An unsigned number; one of 8 bytes or more is a text in JSON. Some values are refused."""

    def __init__(self, size, order="little", refused=()):
        self.size, self.order, self.refused = size, order, refused

    def make(self, rnd):
        most = (1 << 8 * self.size) - 1
        value = rnd.choice([rnd.randint(0, most), rnd.randint(0, min(most, 300)), 0, 1, most])
        while value in self.refused:
            value = rnd.randint(0, most)
        return str(value) if self.size > 4 else value

    def write(self, out, value):
        (out.mark if self.refused else out.put)(int(value).to_bytes(self.size, self.order))

    def read(self, data):
        value = int.from_bytes(data.take(self.size), self.order)
        if value in self.refused:
            raise Refused("a number that is refused")
        return str(value) if self.size > 4 else value


class Bool:
    def make(self, rnd):
        return rnd.random() < 0.5

    def write(self, out, value):
        out.mark(bytes([value]))

    def read(self, data):
        tag = data.tag()
        if tag > 1:
            raise Refused("bool")
        return tag == 1


class Length:
    """The length before bytes and lists: 4 bytes, or a varint in its shortest form."""

    def write(self, out, count):
        out.mark(struct.pack("<I", count))

    def read(self, data):
        return struct.unpack("<I", data.take(4))[0]


class Varint(Length):
    def write(self, out, count):
        encoded = bytearray()
        while True:
            low, count = count & 0x7F, count >> 7
            encoded.append(low | (0x80 if count else 0))
            if not count:
                return out.mark(bytes(encoded))

    def read(self, data):
        value = 0
        for at in range(10):
            byte = data.tag()
            value |= (byte & 0x7F) << 7 * at
            if byte < 0x80:
                if (byte == 0 and at > 0) or value >= 1 << 64:
                    raise Refused("varint")
                return value
        raise Refused("varint of more than 10 bytes")


class Bytes:
    def __init__(self, least=0, most=40, length=Length()):
        self.least, self.most, self.length = least, most, length

    def make(self, rnd):
        return rnd.randbytes(rnd.randint(self.least, self.most)).hex()

    def write(self, out, value):
        data = bytes.fromhex(value)
        self.length.write(out, len(data))
        out.put(data)

    def read(self, data):
        return data.take(self.length.read(data)).hex()


class Text(Bytes):
    LETTERS = "abcxyz019 ._-/äß€漢😀\0\"\\\ufeff\u2028"

    def make(self, rnd):
        return "".join(rnd.choice(self.LETTERS) for _ in range(rnd.randint(0, 9)))

    def write(self, out, value):
        super().write(out, value.encode().hex())

    def read(self, data):
        try:
            return bytes.fromhex(super().read(data)).decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("utf8")


class Option:
    def __init__(self, of):
        self.of = of

    def make(self, rnd):
        return self.of.make(rnd) if rnd.random() < 0.6 else None

    def write(self, out, value):
        out.mark(bytes([value is not None]))
        if value is not None:
            self.of.write(out, value)

    def read(self, data):
        tag = data.tag()
        if tag > 1:
            raise Refused("option")
        return self.of.read(data) if tag else None


class List:
    def __init__(self, of, most=3, length=Length()):
        self.of, self.most, self.length = of, most, length

    def make(self, rnd):
        return [self.of.make(rnd) for _ in range(rnd.randint(0, self.most))]

    def write(self, out, value):
        self.length.write(out, len(value))
        for one in value:
            self.of.write(out, one)

    def read(self, data):
        count = self.length.read(data)
        if count > data.left():
            raise Refused("past the end")
        return [self.of.read(data) for _ in range(count)]


class Map:
    """A map with keys in ascending order of their bytes. Other orders are read too, and the last of equal keys counts."""

    def __init__(self, key, of):
        self.key, self.of = key, of

    def sorted(self, value):
        def order(key):
            out = Out()
            self.key.write(out, key)
            return bytes(out.bytes[4:] if isinstance(self.key, Text) else out.bytes)

        return {key: value[key] for key in sorted(value, key=order)}

    def make(self, rnd):
        return self.sorted({self.key.make(rnd): self.of.make(rnd) for _ in range(rnd.randint(0, 3))})

    def write(self, out, value):
        Length().write(out, len(value))
        for key, one in value.items():
            self.key.write(out, key)
            self.of.write(out, one)

    def read(self, data):
        value = {}
        for _ in range(Length().read(data)):
            key = self.key.read(data)
            value[key] = self.of.read(data)
        return self.sorted(value)


class Pair:
    def __init__(self, *of):
        self.of = of

    def make(self, rnd):
        return [one.make(rnd) for one in self.of]

    def write(self, out, value):
        for of, one in zip(self.of, value):
            of.write(out, one)

    def read(self, data):
        return [of.read(data) for of in self.of]


class Names:
    def __init__(self, *names):
        self.names = names

    def make(self, rnd):
        return rnd.choice(self.names)

    def write(self, out, value):
        out.mark(bytes([self.names.index(value)]))

    def read(self, data):
        tag = data.tag()
        if tag >= len(self.names):
            raise Refused("tag")
        return self.names[tag]


class Struct:
    def __init__(self, *parts, **fields):
        """Fields in their order. A part before them is a struct whose fields come first."""
        self.fields = {}
        for part in parts:
            self.fields.update(part.fields)
        self.fields.update(fields)

    def make(self, rnd):
        return {name: of.make(rnd) for name, of in self.fields.items()}

    def write(self, out, value):
        for name, of in self.fields.items():
            of.write(out, value[name])

    def read(self, data):
        return {name: of.read(data) for name, of in self.fields.items()}


class Unit:
    """No bytes."""

    def make(self, rnd):
        return None

    def write(self, out, value):
        pass

    def read(self, data):
        return None


UNIT = Unit()


def forms(of):
    """The number of variants in a type: those with many are made more often."""
    if isinstance(of, Struct):
        return max(map(forms, of.fields.values()), default=1)
    return sum(of.weights) if isinstance(of, Enum) else 1


class Enum:
    """Variants by tag, each a name and a struct."""

    def __init__(self, variants):
        self.variants = dict(variants) if isinstance(variants, dict) else dict(enumerate(variants))
        self.weights = [forms(of) for _, of in self.variants.values()]

    def make(self, rnd):
        name, of = rnd.choices(list(self.variants.values()), self.weights)[0]
        return {"kind": name, **of.make(rnd)}

    def write(self, out, value):
        for tag, (name, of) in self.variants.items():
            if name == value["kind"]:
                out.mark(bytes([tag]))
                return of.write(out, value)
        raise KeyError(value["kind"])

    def read(self, data):
        tag = data.tag()
        if tag not in self.variants:
            raise Refused("tag")
        name, of = self.variants[tag]
        return {"kind": name, **of.read(data)}


class Raw:
    """All bytes that are left, in hex."""

    def __init__(self, least=0, most=60):
        self.least, self.most = least, most

    def make(self, rnd):
        return rnd.randbytes(rnd.randint(self.least, self.most)).hex()

    def write(self, out, value):
        out.put(bytes.fromhex(value))

    def read(self, data):
        return data.take(data.left()).hex()


class Within:
    """A value inside a byte string. Bytes that are none, or not as it is written, are shown in hex."""

    def __init__(self, of, around=Bytes()):
        self.of, self.around = of, around

    def make(self, rnd):
        return self.of.make(rnd)

    def write(self, out, value):
        if isinstance(value, str):
            return self.around.write(out, value)
        inner = written(self.of, value)
        if hasattr(self.around, "length"):
            self.around.length.write(out, len(inner.bytes))
        start = len(out.bytes)
        out.put(inner.bytes)
        out.marks += [start + at for at in inner.marks]

    def read(self, data):
        inner = self.around.read(data)
        try:
            value = whole(self.of, bytes.fromhex(inner))
        except Refused:
            return inner
        return value if written(self.of, value).bytes.hex() == inner else inner


class Layouts:
    """One of several layouts: the first that takes all bytes, if it is the only one. The kind names it."""

    def __init__(self, first=lambda value: True, **layouts):
        self.layouts, self.first = layouts, first

    def make(self, rnd):
        name = rnd.choice(list(self.layouts))
        return {"kind": name, **self.layouts[name].make(rnd)}

    def write(self, out, value):
        self.layouts[value["kind"]].write(out, value)

    def read(self, data):
        start, found = data.at, []
        for name, of in self.layouts.items():
            data.at = start
            try:
                value = {"kind": name, **of.read(data)}
                if not data.left():
                    found.append(value)
            except Refused:
                pass
        if not found:
            raise Refused("no layout")
        data.at = len(data.data)
        return next((value for value in found if self.first(value)), found[0])


def written(of, value):
    out = Out()
    of.write(out, value)
    return out


def whole(of, data):
    """The value of all bytes."""
    reader = In(data)
    value = of.read(reader)
    if reader.left():
        raise Refused("bytes are left")
    return value
