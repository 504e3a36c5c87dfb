// What is selected in the sidebar, to delete or archive many at once.
import type { Convo, MANY_MAX } from '@parley/schema/convos';
import { atom } from 'jotai';

/** The server takes no more in one go. */
export const SELECTION_MAX: typeof MANY_MAX = 1000;

export interface Selection {
  /** In the order they were selected. */
  chosen: ReadonlyMap<string, Convo>;
  /** Where a range begins: what was selected or deselected last. */
  anchor: string | null;
}

export const NO_SELECTION: Selection = { chosen: new Map(), anchor: null };

/** Null while nothing is being selected. */
export const selectionAtom = atom<Selection | null>(null);

/** `selection` with one more or, if it was selected, one less. */
export function toggle({ chosen }: Selection, convo: Convo): Selection {
  const id = convo.conversationId;
  const others = new Map([...chosen].filter(([known]) => known !== id));
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

export function selectAll(selection: Selection, convos: readonly Convo[]): Selection {
  return { ...selection, chosen: withAll(selection, convos) };
}

function withAll({ chosen }: Selection, convos: readonly Convo[]): Map<string, Convo> {
  return atMost(new Map([...chosen, ...convos.map((convo) => [convo.conversationId, convo] as const)]));
}

function atMost(chosen: Map<string, Convo>): Map<string, Convo> {
  return chosen.size <= SELECTION_MAX ? chosen : new Map([...chosen].slice(0, SELECTION_MAX));
}
