// The tools that were chosen last on the plugins endpoint. A conversation of it that is opened without tools has them.
import { useEffect, useEffectEvent, useRef } from 'react';
import { readStored, writeStored } from '../../lib/storage.ts';
import type { Chat } from '../use-chat.ts';
import { chosenTools } from './arrange-tools.ts';

/** Existing clients have the same key. */
const KEY = 'lastSelectedTools';

/** `choose` changes the tools of the chat. */
export function useLastTools(
  { slot, modelTarget }: Pick<Chat, 'slot' | 'modelTarget'>,
  choose: (keys: string[]) => void,
): void {
  const { conversationId, isNewChat } = slot;
  const isPlugins = modelTarget?.endpointType === 'gptPlugins';
  const seen = useRef<string | null>(null);

  const restore = useEffectEvent(() => {
    const last = readLastTools();
    const isUntouched = slot.choice === null && modelTarget && chosenTools(modelTarget.settings).length === 0;
    if (isUntouched && last.length > 0) choose(last);
  });

  useEffect(() => {
    if (!isNewChat && !isPlugins) return;
    // A new chat that becomes a conversation was not opened.
    if (!isNewChat && seen.current !== conversationId) restore();
    seen.current = conversationId;
  }, [conversationId, isNewChat, isPlugins]);
}

/** Notes a choice that a person made. */
export function noteLastTools({ modelTarget }: Pick<Chat, 'modelTarget'>, keys: readonly string[]): void {
  if (modelTarget?.endpointType === 'gptPlugins') writeStored(KEY, keys);
}

export function readLastTools(): string[] {
  return readStored<string[]>(KEY, [], (stored) =>
    Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : undefined,
  );
}
