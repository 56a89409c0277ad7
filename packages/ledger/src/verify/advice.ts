/** Advice that many rules share. */

export const RESTORE = "Keep the page's folder, and restore a copy of it that verifies.";
