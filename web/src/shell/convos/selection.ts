// What is selected in the sidebar, to delete or archive many at once.
import type { Convo, MANY_MAX } from '@parley/schema/convos';
import { atom } from 'jotai';

/** The server takes no more in one go. */
export const SELECTION_MAX: typeof MANY_MAX = 1000;

/** A convo, or the id of one that is not loaded. */
export type Chosen = Convo | Pick<Convo, 'conversationId'>;

export interface Selection {
  /** In the order they were selected. */
  chosen: ReadonlyMap<string, Chosen>;
  /** Where a range begins: what was selected or deselected last. */
  anchor: string | null;
}

export const NO_SELECTION: Selection = { chosen: new Map(), anchor: null };

/** Null while nothing is being selected. */
export const selectionAtom = atom<Selection | null>(null);

/** `selection` with one more or, if it was selected, one less. */
export function toggle({ chosen }: Selection, convo: Convo): Selection {
  const id = convo.conversationId;
  const others = new Map<string, Chosen>([...chosen].filter(([known]) => known !== id));
  const isNew = others.size === chosen.size;
  return { chosen: isNew ? atMost(others.set(id, convo)) : others, anchor: id };
}

/** `selection` with everything from its anchor to `convo`, in the order of the list. */
export function extend(selection: Selection, convo: Convo, convos: readonly Convo[]): Selection {
  const placeOf = (id: string | null) => convos.findIndex((one) => one.conversationId === id);
  const to = placeOf(convo.conversationId);
  const from = placeOf(selection.anchor);
  if (from < 0 || to < 0) return toggle(selection, convo);
  const range = convos.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, chosen: withAll(selection, range) };
}

/** `selection` with those of `ids`; `convos` are the loaded ones. */
export function selectAll(selection: Selection, ids: readonly string[], convos: readonly Convo[]): Selection {
  const loaded = new Map(convos.map((convo) => [convo.conversationId, convo]));
  const all = ids.map((conversationId) => loaded.get(conversationId) ?? { conversationId });
  return { ...selection, chosen: withAll(selection, all) };
}

export function isLoaded(chosen: Chosen): chosen is Convo {
  return 'title' in chosen;
}

function withAll({ chosen }: Selection, more: readonly Chosen[]): Map<string, Chosen> {
  return atMost(new Map([...chosen, ...more.map((one) => [one.conversationId, one] as const)]));
}

function atMost(chosen: Map<string, Chosen>): Map<string, Chosen> {
  return chosen.size <= SELECTION_MAX ? chosen : new Map([...chosen].slice(0, SELECTION_MAX));
}
