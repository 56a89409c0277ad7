import type { Schema } from "../dist/index.js";

export function revisionModule(schema: Schema): string;
