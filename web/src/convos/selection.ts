// The selection in the sidebar, to delete, archive or move many convos at once.
import type { Convo, MANY_MAX } from '@parley/schema/convos/convos';
import type { ConvoOrId } from '../dialogs/open-dialog.ts';
import { personalAtom } from '../lib/personal-data.ts';

/** The server's limit per request. */
export const SELECTION_MAX: typeof MANY_MAX = 1000;

export interface Selection {
  /** In the order they were selected. */
  chosen: ReadonlyMap<string, ConvoOrId>;
  /** The start of a range: the convo last selected or deselected. */
  anchor: string | null;
}

export const NO_SELECTION: Selection = { chosen: new Map(), anchor: null };

/** Null outside selection mode. */
export const selectionAtom = personalAtom<Selection | null>(() => null);

/** `selection` with `convo` toggled. */
export function toggle({ chosen }: Selection, convo: Convo): Selection {
  const id = convo.conversationId;
  const others = new Map<string, ConvoOrId>([...chosen].filter(([known]) => known !== id));
  const isNew = others.size === chosen.size;
  return { chosen: isNew ? atMost(others.set(id, convo)) : others, anchor: id };
}

/** `selection` plus everything from its anchor to `convo`, in list order. */
export function extend(selection: Selection, convo: Convo, convos: readonly Convo[]): Selection {
  const placeOf = (id: string | null) => convos.findIndex((one) => one.conversationId === id);
  const to = placeOf(convo.conversationId);
  const from = placeOf(selection.anchor);
  if (from < 0 || to < 0) return toggle(selection, convo);
  const range = convos.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, chosen: withAll(selection, range) };
}

/** `selection` limited to `ids`; `convos` are the loaded ones. */
export function selectAll(selection: Selection, ids: readonly string[], convos: readonly Convo[]): Selection {
  const loaded = new Map(convos.map((convo) => [convo.conversationId, convo]));
  const all = ids.map((conversationId) => loaded.get(conversationId) ?? { conversationId });
  return { ...selection, chosen: withAll(selection, all) };
}

export function isLoaded(chosen: ConvoOrId): chosen is Convo {
  return 'title' in chosen;
}

function withAll({ chosen }: Selection, more: readonly ConvoOrId[]): Map<string, ConvoOrId> {
  return atMost(new Map([...chosen, ...more.map((one) => [one.conversationId, one] as const)]));
}

function atMost(chosen: Map<string, ConvoOrId>): Map<string, ConvoOrId> {
  return chosen.size <= SELECTION_MAX ? chosen : new Map([...chosen].slice(0, SELECTION_MAX));
}
