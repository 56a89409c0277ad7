"""Keys and values of several looks."""

WORDS = b"account alice bob context delta entity group member node owner parent state tree value wallet".split()


def short_keys(rng):
    return bytes(rng.choice(b"\x00\x01a\xfe\xff") for _ in range(rng.randrange(7)))


def text_keys(rng):
    return b"/".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 5))) + b"%03d" % rng.randrange(200)


def counter_keys(rng):
    return rng.randrange(3000).to_bytes(8, "big")


def digest_keys(rng):
    return rng.randrange(1500).to_bytes(2, "big") + random_bytes(rng.__class__(rng.randrange(20)), 30)


def long_keys(rng):
    draw = rng.random()
    length = rng.choice([3, 200, 900]) if draw < 0.9 else rng.choice([5000, 70_000])
    return rng.choice([b"", b"a", b"same" * 50]) + bytes([rng.choice(b"\x00k\xff")]) * length + b"%d" % rng.randrange(30)


def random_keys(rng):
    return random_bytes(rng, rng.choice([1, 2, 16, 33, 65]))


KEY_STYLES = {
    "short": short_keys,
    "text": text_keys,
    "counter": counter_keys,
    "digest": digest_keys,
    "long": long_keys,
    "random": random_keys,
}


def text_values(rng):
    return b" ".join(rng.choice(WORDS) for _ in range(rng.randrange(60)))


def noise_values(rng):
    return random_bytes(rng, rng.choice([0, 1, 8, 40, 300]))


def large_values(rng):
    draw = rng.random()
    if draw < 0.8:
        return random_bytes(rng, rng.randrange(200))
    length = rng.choice([4000, 33_000]) if draw < 0.995 else 1_500_000
    return random_bytes(rng, 1000) * (length // 1000)


def equal_values(rng):
    return rng.choice([b"", b"\x00" * 100, b"value" * 30])


VALUE_STYLES = {
    "text": text_values,
    "noise": noise_values,
    "large": large_values,
    "equal": equal_values,
}


def random_bytes(rng, count):
    return rng.getrandbits(8 * count).to_bytes(count, "little") if count else b""
