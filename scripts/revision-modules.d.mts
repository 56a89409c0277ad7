export function revisionModule(revision: string): string;
