// The declarations in Rust source that decide how bytes lie in a row: constants, structs and enums that Borsh writes, keys,
// other names of types, and column families. It reads tokens, not Rust: macros are not expanded, and the bodies of functions
// are not understood.

/**
 * Reads the declarations of a file: names such as `enum GroupOp` with their members in order. Members of a struct are its fields
 * with their types, of an enum its variants with their fields, of a constant its value. Code of tests is left out.
 */
export function declarationsOf(source) {
  const tokens = withoutTests(tokensOf(source));
  const found = new Map();
  let attributes = "";
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === "#") {
      const end = closing(tokens, tokens.indexOf("[", at));
      attributes += tokens.slice(at, end + 1).join(" ");
      at = end;
      continue;
    }
    const name = tokens[at + 1];
    if (token === "const" && tokens[at + 2] === ":") {
      const end = tokens.indexOf(";", at + 3 + lengthOfType(tokens.slice(at + 3)));
      const text = tokens.slice(at + 3, end).join(" ");
      if (isLayoutConstant(name, text)) found.set(`const ${name}`, [text]);
      at = end;
    } else if ((token === "struct" || token === "enum") && /^\w+$/.test(name ?? "")) {
      const open = openOf(tokens, at + 2);
      if (tokens[open] !== ";") {
        const end = closing(tokens, open);
        const members = split(tokens.slice(open + 1, end)).map(memberOf);
        if (isStored(attributes, name)) found.set(`${token} ${name}`, members);
        at = end;
      }
    }
    if (token === "type" && /^(pub|\))$/.test(tokens[at - 1] ?? "")) {
      const end = tokens.indexOf(";", at + 3 + lengthOfType(tokens.slice(at + 3)));
      found.set(`type ${name}`, [tokens.slice(at + 3, end).join(" ")]);
      at = end;
    }
    // A hand-written form: whether it changed can be told, its fields cannot.
    if (token === "impl") {
      const open = tokens.indexOf("{", at);
      const head = tokens.slice(at, open).join(" ");
      if (/\bBorsh(De)?[Ss]erialize for\b/.test(head))
        found.set(head, [tokens.slice(open, closing(tokens, open)).join(" ")]);
    }
    if (!/^(pub|crate|super|in|unsafe|\(|\))$/.test(token)) attributes = "";
  }
  return found;
}

/** The tokens of a source, without comments; a text is one token. */
function tokensOf(source) {
  const pattern =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|b?r(#*)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|b?'(?:\\[^']+|[^'\\])'|\w+|::|->|=>|[^\s\w]/g;
  return (source.match(pattern) ?? []).filter((token) => !token.startsWith("//") && !token.startsWith("/*"));
}

/** The tokens outside modules that only tests compile. */
function withoutTests(tokens) {
  const text = ["#", "[", "cfg", "(", "test", ")", "]"];
  const kept = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!text.every((token, offset) => tokens[at + offset] === token)) {
      kept.push(tokens[at]);
      continue;
    }
    const end = tokens.findIndex((token, index) => index > at + text.length && /^[{;]$/.test(token));
    at = end < 0 ? tokens.length : tokens[end] === "{" ? closing(tokens, end) : end;
  }
  return kept;
}

/** The index of the bracket or semicolon after the name of a type: behind what it is generic over. */
function openOf(tokens, from) {
  let at = from;
  for (let depth = 0; depth > 0 || tokens[at] === "<"; at++) {
    if (at >= tokens.length) return from;
    if (tokens[at] === "<") depth++;
    if (tokens[at] === ">") depth--;
  }
  const ends = tokens[at] === "where" ? /^[{;]$/ : /^[{(;]$/;
  return tokens.findIndex((one, index) => index >= at && ends.test(one));
}

const CLOSING = { "(": ")", "[": "]", "{": "}" };

/** The index of the bracket that closes the one at an index. */
function closing(tokens, open) {
  const awaited = [];
  for (let at = open; at >= 0 && at < tokens.length; at++) {
    const token = tokens[at];
    if (token in CLOSING) awaited.push(CLOSING[token]);
    else if (token === awaited.at(-1) && awaited.pop() && awaited.length === 0) return at;
  }
  return tokens.length - 1;
}

/** The tokens of each member of a list, at the commas outside brackets. */
function split(tokens) {
  const members = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[([{<]$/.test(token)) depth++;
    if (/^[)\]}>]$/.test(token)) depth--;
    if (token === "," && depth === 0) members.push([]);
    else members.at(-1).push(token);
  }
  return members.filter((member) => member.length > 0);
}

/** A member as text: without visibility, with the attributes of Borsh only. */
function memberOf(tokens) {
  let rest = tokens;
  let marks = "";
  while (rest[0] === "#") {
    const end = closing(rest, 1);
    if (rest[2] === "borsh") marks += `${rest.slice(2, end).join("")} `;
    rest = rest.slice(end + 1);
  }
  if (rest[0] === "pub") rest = rest.slice(rest[1] === "(" ? closing(rest, 1) + 1 : 1);
  const text = rest
    .join(" ")
    .replace(/ ?(::|[<>()[\];,]) ?/g, "$1")
    .replace(/[,;]/g, "$& ")
    .replace(/ :/g, ":")
    .replace(/(\w):(?=[^:\s])/g, "$1: ")
    .replace(/(\w)\{/g, "$1 {");
  return marks + text;
}

function lengthOfType(tokens) {
  return tokens[0] === "[" ? closing(tokens, 0) + 1 : 1;
}

/** Constants that are part of stored bytes: prefixes, tags, versions, scopes and domains. */
function isLayoutConstant(name, text) {
  return (
    /^(u8|u16|u32|& *\[ *u8|\[ *u8|& *'? *static|& str)/.test(text) &&
    /PREFIX|TAG|VERSION|MAGIC|DOMAIN|SCOPE|LABEL|KEY|MARK/.test(name)
  );
}

/** Returns whether a type is stored: Borsh writes it, or it is the list of column families. */
function isStored(attributes, name) {
  return /Borsh/.test(attributes) || name === "Column";
}

/**
 * The changes between two lists of members, in order: `+` for one more, `-` for one less. A member that moved is both, since its
 * place is part of the layout.
 */
export function changes(before, after) {
  const common = longestCommon(before, after);
  const lines = [];
  let [left, right] = [0, 0];
  for (const [atLeft, atRight] of [...common, [before.length, after.length]]) {
    while (left < atLeft) lines.push(`- ${left} ${before[left++]}`);
    while (right < atRight) lines.push(`+ ${right} ${after[right++]}`);
    left++;
    right++;
  }
  return lines;
}

/** The places of the longest common subsequence of two lists. */
function longestCommon(before, after) {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i][j] =
        before[i] === after[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  const places = [];
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (before[i] === after[j]) places.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return places;
}
