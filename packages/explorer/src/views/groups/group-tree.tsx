/** The tree of namespaces and groups; on narrow pages, a list to choose from. */
import type { GroupNode } from "merostore/node";
import { useMemo, useRef, useState } from "preact/hooks";
import { go } from "../../page/address.js";
import { groupAddress } from "../../page/addresses.js";
import { Icon } from "../../parts/icon.js";
import { Kind } from "../../parts/marks.js";
import { rowHeight, useRowWindow } from "../../parts/row-window.js";
import { stepTo } from "../../parts/steps.js";
import { count, plainText } from "../../parts/text.js";
import { Name } from "../../parts/words.js";

/** The most groups in the list to choose from. */
const MOST_CHOICES = 1_000;

/** A line of the tree. */
interface Twig {
  readonly node: GroupNode;
  readonly depth: number;
  readonly parent: number;
}

/** The tree. */
export function GroupTree({ groups, selected }: { groups: readonly GroupNode[]; selected: string }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const twigs = useMemo(() => twigsOf(groups, closed), [groups, closed]);
  const all = useMemo(() => twigsOf(groups, new Set()), [groups]);
  const scroller = useRef<HTMLDivElement>(null);
  const height = useMemo(() => rowHeight(), []);
  const list = useRowWindow(scroller, twigs.length, height);
  const active = twigs.findIndex(({ node }) => node.group.id === selected);
  const turn = (id: string, isClosed: boolean): void =>
    setClosed((before) => {
      const after = new Set(before);
      if (isClosed) after.add(id);
      else after.delete(id);
      return after;
    });
  const goTo = (at: number): void => {
    const twig = twigs[at];
    if (twig === undefined) return;
    go(groupAddress(twig.node.group.id), { replace: true });
    list.reveal(twigs.indexOf(twig));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const twig = twigs[active];
    const isClosed = twig !== undefined && closed.has(twig.node.group.id);
    const hasChildren = (twig?.node.children.length ?? 0) > 0;
    const right = (): void => {
      if (twig === undefined || !hasChildren) return;
      if (isClosed) turn(twig.node.group.id, false);
      else goTo(active + 1);
    };
    const left = (): void => {
      if (twig === undefined) return;
      if (hasChildren && !isClosed) turn(twig.node.group.id, true);
      else if (twig.parent >= 0) goTo(twig.parent);
    };
    const to = stepTo(event.key, active, twigs.length);
    if (to !== undefined) goTo(to);
    else if (event.key === "ArrowRight") right();
    else if (event.key === "ArrowLeft") left();
    else if (event.key === "Enter") document.getElementById("view")?.focus();
    else return;
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent): void => {
    if (!(target instanceof Element)) return;
    const { group: id } = target.closest<HTMLElement>("[data-group]")?.dataset ?? {};
    if (id === undefined) return;
    if (target.closest(".twist") && !target.closest(".leaf")) turn(id, !closed.has(id));
    else go(groupAddress(id));
  };
  return (
    <>
      <select
        class="field group-choice"
        aria-label="Group"
        value={selected}
        onChange={({ currentTarget }) => go(groupAddress(currentTarget.value))}
      >
        {!all.some(({ node }) => node.group.id === selected) && (
          <option value={selected}>Another group</option>
        )}
        {all.slice(0, MOST_CHOICES).map(({ node: { group }, depth }) => (
          <option key={group.id} value={group.id}>
            {`${"\u2003".repeat(depth)}${plainText(group.name ?? group.id.slice(0, 8), 60)}`}
          </option>
        ))}
        {all.length > MOST_CHOICES && <option disabled>and {count(all.length - MOST_CHOICES)} more</option>}
      </select>
      <section class="panel tree group-tree" aria-label="Namespaces and groups">
        <div class="panel-head">
          <h2>Groups</h2>
          <span class="quiet">members</span>
        </div>
        <div
          class="scroller list"
          ref={scroller}
          role="tree"
          tabIndex={0}
          aria-label="Namespaces and groups"
          aria-activedescendant={active < 0 ? undefined : `twig-${active}`}
          onKeyDown={onKeyDown}
          onClick={onClick}
          style={{ height: `min(${twigs.length * height}px, calc(100vh - 14rem))` }}
        >
          <div class="twigs" style={{ height: `${list.height}px` }} role="presentation">
            {twigs.slice(list.first, list.first + list.count).map((twig, place) => {
              const index = list.first + place;
              return (
                <TwigLine
                  key={twig.node.group.id}
                  twig={twig}
                  at={index}
                  top={list.above + place * height}
                  isSelected={index === active}
                  isOpen={twig.node.children.length === 0 ? undefined : !closed.has(twig.node.group.id)}
                />
              );
            })}
          </div>
        </div>
      </section>
    </>
  );
}

function TwigLine({
  twig: { node, depth },
  at,
  top,
  isSelected,
  isOpen,
}: {
  twig: Twig;
  at: number;
  top: number;
  isSelected: boolean;
  isOpen: boolean | undefined;
}) {
  const { group, members } = node;
  return (
    <div
      id={`twig-${at}`}
      data-group={group.id}
      class={`item ${isSelected ? "sel" : ""}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      tabIndex={-1}
      title={`${plainText(group.name ?? "", 120)} ${group.id}`.trim()}
      style={{ top: `${top}px` }}
    >
      <span class="twig" style={{ "--d": Math.min(depth, 8) }}>
        <span class={`twist ${isOpen === undefined ? "leaf" : isOpen ? "open" : ""}`}>
          <Icon name="right" />
        </span>
        <Kind kind="GroupMeta">
          <Name of={group} />
        </Kind>
      </span>
      <span class="num">
        {members === undefined ? "?" : count(members)}
        <span class="sr"> {members === 1 ? "member" : "members"}</span>
      </span>
    </div>
  );
}

function twigsOf(groups: readonly GroupNode[], closed: ReadonlySet<string>): readonly Twig[] {
  const twigs: Twig[] = [];
  const add = (nodes: readonly GroupNode[], depth: number, parent: number): void => {
    for (const node of nodes) {
      const at = twigs.push({ node, depth, parent }) - 1;
      if (!closed.has(node.group.id)) add(node.children, depth + 1, at);
    }
  };
  add(groups, 0, -1);
  return twigs;
}
