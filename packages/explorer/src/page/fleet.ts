/** The nodes of the view Fleet, side by side. The work runs while the view is open, once for each set of nodes. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { addressOf, go } from "./address.js";
import { messageOf } from "./message-of.js";
import { nodes, open, written } from "./session.js";
import { askFleet, type DatabaseSource, type Fleet, type Side, sourceOf } from "./worker-client.js";

/** The state of the work. */
export interface FleetWork {
  readonly state: "waiting" | "running" | "done" | "failed";
  /** The facts so far. */
  readonly found: Fleet | undefined;
  /** The reason if it ended early. */
  readonly message: string | undefined;
  /** The rows that were {@link written} when it began. */
  readonly began: number;
}

const WAITING: FleetWork = { state: "waiting", found: undefined, message: undefined, began: 0 };

/** The work. */
const fleetWork = signal<FleetWork>(WAITING);

let running = new AbortController();
/** The nodes of the work. */
let of: readonly DatabaseSource[] = [];

/** Reads the nodes while the view is open. The result stays for the next time, if every node could be opened. */
export function useFleet(): FleetWork {
  const all = nodes.value;
  const known = fleetWork.value;
  useEffect(() => {
    if (all.length < 2) return;
    const { state, found } = fleetWork.peek();
    const hasFailed = found?.nodes.some(({ failure }) => failure !== undefined);
    if (of !== all || state !== "done" || hasFailed) void readFleet();
    return () => running.abort();
  }, [all]);
  return of === all ? known : WAITING;
}

/** Reads the nodes. */
export async function readFleet(): Promise<void> {
  running.abort();
  const own = new AbortController();
  running = own;
  const before =
    of === nodes.peek() && fleetWork.peek().state === "done" ? fleetWork.peek().found : undefined;
  of = nodes.peek();
  const began = written.peek();
  fleetWork.value = { ...WAITING, state: "running", began };
  const keep = (work: Partial<FleetWork>): void => {
    if (!own.signal.aborted) fleetWork.value = { ...fleetWork.peek(), ...work };
  };
  try {
    keep({ found: await askFleet(own.signal, membersOf(of), (found) => keep({ found })), state: "done" });
  } catch (error) {
    keep({ found: before, state: "failed", message: messageOf(error) });
  }
}

/** The name and the place of a source, as the page shows them. */
function shownOf(source: DatabaseSource): { readonly name: string; readonly location: string } {
  if (source.from === "served") return { name: source.name, location: source.path };
  if (source.from === "url") return { name: new URL(source.url).host, location: source.url };
  return { name: source.name, location: source.name };
}

/** Nodes with names that tell them apart. */
export function membersOf(sources: readonly DatabaseSource[]) {
  const shown = sources.map((source) => ({ source, ...shownOf(source) }));
  return shown.map((one, at) => ({
    ...one,
    name: shown.some(({ name }, other) => name === one.name && other !== at)
      ? `${one.name} (${at + 1})`
      : one.name,
  }));
}

/** Opens two nodes beside each other, and shows why they differ in a context or group. */
export async function showWhy(places: readonly [number, number], thing: readonly string[]): Promise<void> {
  for (const [at, side] of (["a", "b"] satisfies Side[]).entries()) {
    const source = of[places[at] as number];
    if (source !== undefined && sourceOf(side) !== source) await open(side, source);
  }
  go(addressOf("compare", thing, pairInAddress()));
}

/** The options of an address that name the databases of both sides; the first node of the page needs no name. */
export function pairInAddress(): { readonly of?: string | undefined; readonly with?: string | undefined } {
  const members = membersOf(nodes.peek());
  const [a, b] = (["a", "b"] satisfies Side[]).map((side) =>
    members.findIndex(({ source }) => source === sourceOf(side)),
  ) as [number, number];
  return { of: a > 0 ? members[a]?.name : undefined, with: members[b]?.name };
}
