import type { Page } from "puppeteer-core";

/** Serves a page and the program of its worker. */
export function serve(code: string): Promise<{ readonly address: string; close(): void }>;

/** The answer of a worker to a message, or its error. The worker is ended afterwards. */
export function ask<Answer>(
  page: Page,
  message: object,
): Promise<{ readonly answer?: Answer; readonly error?: string }>;
