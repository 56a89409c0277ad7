/** The selected row at the right of the grid, with the edge that sets its width. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Splitter } from "../../parts/splitter.js";

/** Pixels of the inspector: as the person set them, else the usual. */
const inspectorWidth = signal(320);
const LEAST = 280;
/** Pixels that the grid keeps. */
const GRID = 320;

export function Inspector({ children }: { children: ComponentChildren }) {
  const pane = useRef<HTMLElement>(null);
  const beside = pane.current?.parentElement?.querySelector<HTMLElement>(".rows-main")?.offsetWidth ?? GRID;
  const width = inspectorWidth.value;
  return (
    <>
      <Splitter
        label="Width of the selected row"
        size={width}
        least={LEAST}
        most={Math.max(LEAST, width + beside - GRID)}
        onResize={(size) => {
          inspectorWidth.value = size;
        }}
      />
      <aside
        class="inspector"
        aria-label="The selected row"
        ref={pane}
        style={{ "--inspector": `${width}px` }}
      >
        {children}
      </aside>
    </>
  );
}
