/** The search field above every view. */
import { useEffect, useState } from "preact/hooks";
import { go, place } from "../page/address.js";
import { searchAddress } from "../page/addresses.js";
import { Icon } from "../parts/icon.js";

/** Searches for an id, the first digits of one, a name or text. */
export function SearchField() {
  const { view, options } = place.value;
  const searched = view === "search" ? (options.for ?? "") : "";
  const [text, setText] = useState(searched);
  useEffect(() => setText(searched), [searched]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== "") go(searchAddress(text.trim()));
  };
  return (
    <search>
      <form class="search" onSubmit={submit}>
        <Icon name="search" />
        <input
          type="search"
          id="search"
          aria-label="Search"
          placeholder="Id, prefix, name or text"
          value={text}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
