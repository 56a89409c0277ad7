/** The text of the file that has the JSON Schema of what each command prints. */
export function jsonOutputFile(): string;
