/** Verifies the data of an application by its manifest: every entry should decode as its type. */
import { toHex } from "../../bytes/hex.js";
import { counted } from "../../bytes/quantity.js";
import { FindingCounter, type RuleSummary, type RuleText, type Severity } from "../../findings/index.js";
import { type StateSurvey, stateOf, surveyState } from "../../state/index.js";
import type { Store } from "../../store/index.js";
import type { Finding } from "../../verify/index.js";
import { contextsIn, type Manifests } from "./manifests.js";

/** The rule, as verification explains rules. */
export const applicationData: RuleText = {
  name: "application-data",
  severity: "error",
  says: "Every entry of the application's data decodes as the type that the manifest gives it.",
  means: "The manifest belongs to another application or to another version of it, or the data is damaged.",
  advice:
    "Check that the manifest belongs to the code that the context runs. Values with several readings need hints: see state --hints.",
};

/** The result of the check of the data. */
export interface DataSummary {
  readonly rule: RuleSummary;
  readonly findings: readonly Finding[];
}

/**
 * Reads all data of a context, or of all contexts with data and a manifest. Entities that the state does not reach give
 * an info.
 */
export async function verifyContexts(
  store: Store,
  only: Uint8Array | undefined,
  manifests: Manifests,
): Promise<DataSummary> {
  const counter = new FindingCounter();
  const findings: Finding[] = [];
  let checked = 0;
  for (const contextId of await contextsIn([store], only)) {
    const manifest = await manifests(contextId);
    if (manifest === undefined) continue;
    const survey = await surveyState(await stateOf(store, contextId, { manifest }));
    // A context without rows was left, or never synchronised.
    if (only === undefined && survey.entities === 0) continue;
    checked += survey.entities;
    const where = only === undefined ? `context ${toHex(contextId)}: ` : "";
    for (const finding of findingsOf(survey, where)) {
      counter.add(finding.severity);
      if (findings.length < MOST) findings.push(finding);
    }
  }
  const { errors, warnings, infos } = counter.counts();
  return { rule: { rule: applicationData.name, checked, errors, warnings, infos }, findings };
}

/** The most listed findings. */
const MOST = 20_000;

function* findingsOf(survey: StateSurvey, where: string): Generator<Finding, void, undefined> {
  const finding = (severity: Severity, message: string): Finding => ({
    severity,
    rule: applicationData.name,
    kind: "ContextState",
    column: "State",
    key: null,
    message: where + message,
  });
  for (const { name, path, message, readings } of survey.problems)
    yield name === "Ambiguous"
      ? finding("warning", `${path}: ${name}, ${readings ?? "too many"} readings: ${message}`)
      : finding(name === "RootMissing" ? "warning" : "error", `${path}: ${name}: ${message}`);
  const more = survey.problemCount - survey.problems.length;
  if (more > 0) yield finding("error", `${more} more entries that do not decode`);
  if (survey.unreachableCount > 0)
    yield finding(
      "info",
      `the state does not reach ${counted(survey.unreachableCount, "entity", "entities")}`,
    );
}
