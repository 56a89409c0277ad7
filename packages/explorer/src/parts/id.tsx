/** Ids: first the name if it is known, then the first digits, and the whole id to copy. */
import { toId } from "merostore";
import { Copy } from "./copy.js";
import { plainText, Text } from "./text.js";

/** Digits of an id that are shown. */
export const SHOWN_DIGITS = 8;

/** The properties of a shown id. */
export interface IdOf {
  /** The whole id, in hex. */
  readonly id: string;
  /** The name, if it is known. */
  readonly name?: string | undefined;
  /** The number of digits that distinguish it from all others; eight unless given. */
  readonly digits?: number | undefined;
  /** The target of a click. */
  readonly address?: string | undefined;
  /** True if the name is set as plain text, as within a sentence. */
  readonly plain?: boolean | undefined;
  /** -1 in lists and trees, where the arrow keys reach it. */
  readonly tabIndex?: number | undefined;
}

/** An id, as a link if it has a target. */
export function Id({ id, name, digits = SHOWN_DIGITS, address, plain = false, tabIndex }: IdOf) {
  const content = (
    <>
      {name !== undefined && (
        <span>
          <Text value={name} most={120} />
        </span>
      )}
      <code>{id.slice(0, digits)}</code>
    </>
  );
  const title = name === undefined ? id : `${plainText(name, 120)} ${id}`;
  const look = `id ${plain ? "plain" : ""}`;
  if (address === undefined)
    return (
      <span class={look} title={title}>
        {content}
      </span>
    );
  return (
    <a class={look} href={address} title={title} tabIndex={tabIndex}>
      {content}
    </a>
  );
}

/** A whole id in hex and in base58, each to copy. */
export function WholeId({ id }: { id: string }) {
  const base58 = toId(id).toBase58();
  return (
    <>
      <code>{id}</code> <Copy text={id} what="the id in hex" /> <code class="quiet">{base58}</code>{" "}
      <Copy text={base58} what="the id in base58" />
    </>
  );
}
