import { atom } from 'jotai';
import type { Choice } from '../../catalog/choose-model.ts';

/** A model of another provider that was picked in a conversation, until its person chooses where to use it. */
export interface PendingSwitch {
  conversationId: string;
  /** With the settings of the conversation that it shares. */
  here: Choice;
  /** For a new chat. */
  inNewChat: Choice;
  target: SwitchTarget;
}

/** What happens in a conversation when a model of another provider is picked. */
export type SwitchTarget = 'ask' | 'continue' | 'new';

export const pendingSwitchAtom = atom<PendingSwitch | null>(null);
