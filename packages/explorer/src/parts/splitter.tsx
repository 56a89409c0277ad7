/** The edge between two panes, which pointers and arrow keys move. */
import { useRef } from "preact/hooks";

/** Pixels by which a key moves it. */
const STEP = 16;

/** A vertical edge. `size` is the width, in pixels, of the pane at its right. */
export function Splitter({
  label,
  size,
  least,
  most,
  onResize,
}: {
  label: string;
  size: number;
  least: number;
  most: number;
  onResize: (size: number) => void;
}) {
  const grabbed = useRef<{ readonly x: number; readonly size: number } | undefined>(undefined);
  const resize = (to: number) => onResize(Math.round(Math.max(least, Math.min(most, to))));
  const press = (event: KeyboardEvent) => {
    const to = { ArrowLeft: size + STEP, ArrowRight: size - STEP, Home: most, End: least }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    resize(to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be moved
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        grabbed.current = { x: event.clientX, size };
      }}
      onPointerMove={({ clientX }) => {
        const from = grabbed.current;
        if (from !== undefined) resize(from.size + from.x - clientX);
      }}
      onLostPointerCapture={() => {
        grabbed.current = undefined;
      }}
    />
  );
}
