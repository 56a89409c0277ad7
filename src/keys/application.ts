import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { applicationId } from "./parts.js";

/** An installed application. `application_id (32)`, 32 bytes. */
export class ApplicationMeta extends keyParts(
  "ApplicationMeta",
  Column.Application,
  undefined,
  applicationId,
) {}

/** The blob that an application ran before its upgrade. `application_id (32)`, 32 bytes. Since core-0.11. */
export class ApplicationPreviousBlob extends keyParts(
  "ApplicationPreviousBlob",
  Column.ApplicationPreviousBlob,
  undefined,
  applicationId,
) {}
