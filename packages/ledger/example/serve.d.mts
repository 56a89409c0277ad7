/** Serves the page on a free port, or the one that is given. */
export function servePage(port?: number): Promise<{ readonly origin: string; close(): void }>;
