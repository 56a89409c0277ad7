/** Filters by the leading parts of the key, and a field that goes to a key. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { announce } from "../../page/announcements.js";
import { messageOf } from "../../page/message-of.js";
import { Icon } from "../../parts/icon.js";
import { plainText } from "../../parts/text.js";

export function Filters({
  names,
  parts,
  nameOf,
  where,
  onChange,
  onFilter,
  onJump,
}: {
  /** The parts of the key, in their order. */
  names: readonly string[];
  parts: Readonly<Record<string, string>>;
  /** The text of a part as it is shown: a name for an id. */
  nameOf: (part: string, text: string) => string;
  /** The filter of any column. */
  where: string;
  onChange: (parts: Readonly<Record<string, string>>) => void;
  onFilter: (where: string) => void;
  /** Goes to a key, or to the beginning of one, in hex. */
  onJump: (key: string) => Promise<void>;
}) {
  const set = (name: string, text: string) => {
    const changed: Record<string, string> = {};
    // A part after a missing part does not narrow the range of keys.
    for (const one of names) {
      const value = one === name ? text : (parts[one] ?? "");
      if (value === "") break;
      changed[one] = value;
    }
    onChange(changed);
  };
  const given = names.filter((name) => parts[name] !== undefined).length;
  return (
    <>
      {names.slice(0, given + 1).map((name) => (
        <PartField
          key={name}
          name={name}
          value={parts[name] ?? ""}
          shown={nameOf(name, parts[name] ?? "")}
          onSet={(text) => set(name, text)}
        />
      ))}
      <WhereField value={where} onSet={onFilter} />
      <Jump onJump={onJump} />
    </>
  );
}

function PartField({
  name,
  value,
  shown,
  onSet,
}: {
  name: string;
  value: string;
  shown: string;
  onSet: (text: string) => void;
}) {
  return (
    <SubmittedField
      look="part"
      before={<span>{name}</span>}
      label={`Only rows with this ${name}`}
      placeholder="name or id"
      clear={`All ${name}`}
      value={value}
      shown={shown}
      size={8}
      onSet={onSet}
    />
  );
}

/** A filter of all columns. */
function WhereField({ value, onSet }: { value: string; onSet: (where: string) => void }) {
  return (
    <SubmittedField
      look="where"
      before={<Icon name="search" />}
      label="Only rows that pass this filter"
      placeholder="word or field = value"
      clear="No filter"
      value={value}
      onSet={onSet}
    />
  );
}

/** A field whose text counts when Enter is pressed. */
function SubmittedField({
  look,
  before,
  label,
  placeholder,
  clear,
  value,
  shown = value,
  size,
  onSet,
}: {
  look: "part" | "where";
  before: ComponentChildren;
  label: string;
  placeholder: string;
  /** The name of the button that empties the field. */
  clear: string;
  value: string;
  /** The value as it is shown. */
  shown?: string;
  size?: number;
  onSet: (text: string) => void;
}) {
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (text !== shown) onSet(text.trim());
  };
  return (
    <form class={`field ${look}`} onSubmit={submit}>
      {before}
      <input
        size={size}
        aria-label={label}
        placeholder={placeholder}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {value !== "" && (
        <button
          type="button"
          class="copy"
          aria-label={clear}
          title={plainText(value)}
          onClick={() => onSet("")}
        >
          <Icon name="close" />
        </button>
      )}
    </form>
  );
}

function Jump({ onJump }: { onJump: (key: string) => Promise<void> }) {
  const [text, setText] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    const key = text.trim().toLowerCase();
    if (!/^[0-9a-f]+$/.test(key)) announce("A key is given in hex: the first digits will do.");
    else onJump(key).catch((error: unknown) => announce(messageOf(error)));
  };
  return (
    <form class="field jump" onSubmit={submit}>
      <input
        size={13}
        aria-label="Jump to the key"
        placeholder="jump to key, hex"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </form>
  );
}
