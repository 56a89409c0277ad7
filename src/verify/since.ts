/** The revisions from one on, named after the first. For rules about rows that later revisions keep. */
import { type Core10, type Core010, type Core011, core10, core010, core011 } from "../schemas/index.js";

/** Any revision since core-0.10. */
export type Since010 = Core010 | Core011 | Core10;

/** Any revision since core-0.11. */
export type Since011 = Core011 | Core10;

/** The revisions since core-0.11. */
export const since011 = [core011, core10] as const;

/** The revisions since core-0.10. */
export const since010 = [core010, ...since011] as const;

/** core-0.10 alone: for rows that later revisions do not have, or have in another layout. */
export const only010 = [core010] as const;

/** core-0.11 alone. */
export const only011 = [core011] as const;

/** The revisions before core-1.0. */
export const until011 = [core010, core011] as const;

/** The revisions since core-1.0. */
export const since10 = [core10] as const;
