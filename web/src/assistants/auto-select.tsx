import { useEffect, useEffectEvent } from 'react';
import type { Chat } from '../chat/use-chat.ts';
import { useSlotIndex } from '../slots/slot.ts';
import { readRemembered, remember } from './remembered-assistant.ts';
import { useAssistants } from '../endpoints/assistants/use-assistants.ts';
import { useChooseAssistant } from './use-choose-assistant.ts';

/**
 * Chooses the assistant of the last chat in this pane, else the newest one, where none is chosen. The assistant of a
 * conversation that is gone stays gone: another one must not answer in its name.
 */
export function AutoSelect({ chat }: { chat: Chat }) {
  const { data } = useAssistants();
  const index = useSlotIndex();
  const choose = useChooseAssistant(chat);
  const isUnset = chat.slot.isNewChat || typeof chat.modelTarget?.settings.assistant_id !== 'string';
  const isMissing = chat.assistantState.status === 'missing' && isUnset;

  const select = useEffectEvent(() => {
    const remembered = readRemembered(index);
    const assistant = data?.find(({ assistantId }) => assistantId === remembered) ?? data?.[0];
    if (assistant) choose(assistant);
  });
  const chosenId = chat.assistantState.status === 'chosen' ? chat.assistantState.assistant.assistantId : null;
  useEffect(() => {
    if (chosenId !== null) remember(index, chosenId);
  }, [index, chosenId]);
  useEffect(() => {
    if (isMissing) select();
  }, [isMissing, data]);
  return null;
}
