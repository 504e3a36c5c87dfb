import { atom, type PrimitiveAtom } from 'jotai';
import type { Choice } from '../../catalog/choose-model.ts';

/** A model of another provider that was picked in a conversation, until its person says where to use it. */
export interface PendingSwitch {
  conversationId: string;
  /** With the settings of the conversation that it shares. */
  here: Choice;
  /** For a new chat. */
  inNewChat: Choice;
}

const atoms = new Map<number, PrimitiveAtom<PendingSwitch | null>>();

export function pendingSwitchAtom(index: number): PrimitiveAtom<PendingSwitch | null> {
  const known = atoms.get(index) ?? atom<PendingSwitch | null>(null);
  atoms.set(index, known);
  return known;
}
