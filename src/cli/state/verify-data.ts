/** Verifying the data of an application by its manifest: every entry should decode as its type. */
import { FindingCounter, type RuleSummary, type RuleText, type Severity } from "../../findings/index.js";
import { type State, surveyState } from "../../state/index.js";
import type { Finding } from "../../verify/index.js";
import { counted } from "../text.js";

/** The rule, as verification explains rules. */
export const applicationData: RuleText = {
  name: "application-data",
  severity: "error",
  says: "Every entry of the application's data decodes as the type that the manifest gives it.",
  means: "The manifest belongs to another application or to another version of it, or the data is damaged.",
  advice:
    "Check that the manifest belongs to the code that the context runs. Values with several readings need hints: see state --hints.",
};

/** What the check of the data came to. */
export interface DataSummary {
  readonly rule: RuleSummary;
  readonly findings: readonly Finding[];
}

/** Reads the whole data of a context. Entities that the state does not reach are an info. */
export async function verifyData(state: State): Promise<DataSummary> {
  const survey = await surveyState(state);
  const counter = new FindingCounter();
  const finding = (severity: Severity, message: string): Finding => {
    counter.add(severity);
    return {
      severity,
      rule: applicationData.name,
      kind: "ContextState",
      column: "State",
      key: null,
      message,
    };
  };
  const findings = survey.problems.map(({ name, path, message, readings }) =>
    name === "Ambiguous"
      ? finding("warning", `${path}: ${name}, ${readings ?? "too many"} readings: ${message}`)
      : finding(name === "RootMissing" ? "warning" : "error", `${path}: ${name}: ${message}`),
  );
  if (survey.unreachableCount > 0)
    findings.push(
      finding("info", `the state does not reach ${counted(survey.unreachableCount, "entity", "entities")}`),
    );
  const { errors, warnings, infos } = counter.counts();
  const rule = { rule: applicationData.name, checked: survey.entities, errors, warnings, infos };
  return { rule, findings };
}
