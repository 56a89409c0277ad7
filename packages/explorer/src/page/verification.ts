/** The verification of the shown database. It runs in the background, once for each state of the database. */
import { computed, signal } from "@preact/signals";
import { messageOf } from "./message-of.js";
import { written } from "./session.js";
import { type Answer, askApart, type ChecksReport, type RuleFindings } from "./worker-client.js";

/** The result of a verification. */
export type CheckedSummary = Answer<"checks">["summary"];

/** The state of the verification. */
export interface Verification {
  readonly state: "waiting" | "running" | "done" | "failed";
  /** Rows that were read so far. */
  readonly rows: number;
  readonly counts: ChecksReport["counts"];
  /** The findings by rule, the most severe first. */
  readonly groups: readonly RuleFindings[];
  /** The rows that each rule checked; undefined until the end. */
  readonly summary: CheckedSummary | undefined;
  /** The reason if it ended early. */
  readonly message: string | undefined;
  /** The rows that were {@link written} when it began. */
  readonly began: number;
  /** True while a newer verification runs: its findings replace these. */
  readonly isRepeated: boolean;
}

const WAITING: Verification = {
  state: "waiting",
  rows: 0,
  counts: { errors: 0, warnings: 0, infos: 0 },
  groups: [],
  summary: undefined,
  message: undefined,
  began: 0,
  isRepeated: false,
};

/** The verification of the shown database. */
export const verification = signal<Verification>(WAITING);

/** The number of rows written since the shown verification began: it did not check them. */
export const uncheckedRows = computed(() => {
  const { state, began } = verification.value;
  return state === "done" || state === "failed" ? written.value - began : 0;
});

/** The longest verification that is repeated without a request, in milliseconds. */
const SHORT = 5_000;

let running = new AbortController();
let took = 0;
let isRunning = false;

/** Ends the verification, and drops its findings. */
export function forgetVerification(): void {
  running.abort();
  isRunning = false;
  verification.value = WAITING;
}

/** Repeats a short verification that is outdated; a running one after its end. Its findings stay until then. */
export function repeatVerification(): void {
  if (verification.peek().state !== "done" || uncheckedRows.peek() === 0 || took >= SHORT || isRunning)
    return;
  verification.value = { ...verification.peek(), isRepeated: true };
  void verify(() => undefined);
}

/** Verifies the database. */
export function verifyNow(): Promise<void> {
  verification.value = { ...WAITING, state: "running" };
  return verify(add);
}

/** @param onReport gets the findings as they are made */
async function verify(onReport: (report: ChecksReport) => void): Promise<void> {
  running.abort();
  const own = new AbortController();
  running = own;
  isRunning = true;
  const began = written.peek();
  const begun = performance.now();
  try {
    const { summary, groups } = await askApart("a", own.signal, "checks", (report) => {
      if (!own.signal.aborted) onReport(report);
    });
    if (own.signal.aborted) return;
    took = performance.now() - begun;
    isRunning = false;
    const { rows, errors, warnings, infos } = summary;
    verification.value = {
      state: "done",
      rows,
      counts: { errors, warnings, infos },
      groups,
      summary,
      message: undefined,
      began,
      isRepeated: false,
    };
    repeatVerification();
  } catch (error) {
    if (own.signal.aborted) return;
    isRunning = false;
    const message = messageOf(error);
    verification.value = { ...verification.value, state: "failed", message, began, isRepeated: false };
  }
}

function add({ rows, counts, changed }: ChecksReport): void {
  const { groups: before } = verification.value;
  const groups = [...before.filter(({ rule }) => !changed.some((one) => one.rule === rule)), ...changed];
  groups.sort((a, b) => WEIGHTS[a.severity] - WEIGHTS[b.severity] || (a.rule < b.rule ? -1 : 1));
  verification.value = { ...verification.value, rows, counts, groups };
}

const WEIGHTS = { error: 0, warning: 1, info: 2 };
