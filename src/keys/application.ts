import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { id32 } from "./part.js";

/** An installed application. `application_id (32)`, 32 bytes. */
export class ApplicationMeta extends keyParts(
  "ApplicationMeta",
  Column.Application,
  undefined,
  id32("applicationId"),
) {}
