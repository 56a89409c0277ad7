/** The answers of Rust about bytes, compared with those of our codecs. */

function hex(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

function equal(a, b) {
  return Buffer.compare(a, b) === 0;
}

/** The disagreement of a codec with Rust about bytes; undefined if they agree. */
export function disagreement(codec, bytes, answer) {
  let value;
  try {
    value = codec.decode(bytes);
  } catch (error) {
    if (error?.code !== "DECODE_FAILED") return `decode threw ${error?.stack ?? error}`;
    return answer.accept ? `refused, Rust accepts: ${error.message}` : undefined;
  }
  if (!answer.accept) return "accepted, Rust refuses";
  try {
    const written = codec.encode(value);
    if (!equal(written, answer.reencoded)) {
      return `written back as ${hex(written)}, by Rust as ${hex(answer.reencoded)}`;
    }
    const canonical = equal(bytes, answer.reencoded);
    if (codec.canonical(bytes) !== canonical) return `canonical is ${!canonical}`;
    // Through text, as JSON goes: a value that is no JSON would be noticed.
    const json = JSON.stringify(codec.toJson(value));
    const back = codec.encode(codec.fromJson(JSON.parse(json)));
    if (!equal(back, answer.reencoded)) return `its JSON form gives ${hex(back)}: ${json}`;
  } catch (error) {
    return `threw ${error?.stack ?? error}`;
  }
  return undefined;
}
