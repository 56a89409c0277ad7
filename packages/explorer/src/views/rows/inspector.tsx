/** The selected row at the right of the grid, with the edge that sets its width. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Splitter } from "../../parts/splitter.js";

/** The width of the inspector in pixels, as the person set it or by default. */
const inspectorWidth = signal(320);
const LEAST = 280;
/** The least width of the grid in pixels. */
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
