/** Icons, 16 by 16, drawn in the colour of the text. */

const PATHS = {
  search: "M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM10.5 10.5l3 3",
  copy: "M7 5.5h5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V7A1.5 1.5 0 0 1 7 5.5zM10.5 3v-.1a.9.9 0 0 0-.9-.9H3.4a.9.9 0 0 0-.9.9v6.2c0 .5.4.9.9.9",
  right: "m6 3.5 4.5 4.5L6 12.5",
  error: "M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0zM5.8 5.8l4.4 4.4m0-4.4-4.4 4.4",
  warning: "M8 2 1.8 13h12.4zM8 6.2v3.2m0 1.9v.1",
  info: "M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0zM8 7.2v4m0-6.3v.1",
  ok: "m3 8.5 3.3 3.3L13 5",
  skip: "M4 8h8",
  lock: "M4.5 7h7A1.5 1.5 0 0 1 13 8.5V12a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 12V8.5A1.5 1.5 0 0 1 4.5 7zM5.2 7V5a2.8 2.8 0 0 1 5.6 0v2",
  folder: "M2 12.2V4c0-.6.4-1 1-1h3.2l1.6 1.8H13c.6 0 1 .4 1 1v6.4c0 .6-.4 1-1 1H3c-.6 0-1-.4-1-1z",
  close: "m4 4 8 8m0-8-8 8",
  left: "M10 3.5 5.5 8l4.5 4.5",
  play: "M5 3.2 12.5 8 5 12.8z",
  pause: "M5.5 3.5v9m5-9v9",
  pin: "M6 2.5h4l-.5 4 2 2.5h-7l2-2.5zM8 9v4.5",
  swap: "M3 5.5h9m-2.5-3 3 3-3 3M13 10.5H4m2.5 3-3-3 3-3",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** An icon. The words beside it give its meaning, so it is hidden from screen readers. */
export function Icon({ name, class: extra = "" }: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
