/** A dialog in the middle of the page. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A dialog, which Esc closes. */
export function Dialog({
  title,
  class: extra = "",
  onClose,
  children,
}: {
  title: string;
  class?: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class={`dialog ${extra}`} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}
