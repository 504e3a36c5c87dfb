import { useEffect, useEffectEvent } from 'react';
import type { Assistant } from '@parley/schema/assistants/assistants';
import type { Chat } from '../chat/use-chat.ts';
import { useSlotIndex } from '../slots/slot.ts';
import { useAssistants } from '../endpoints/assistants/use-assistants.ts';
import { readText, writeText } from '../lib/storage.ts';
import { useSetModel } from '../slots/use-set-model.ts';

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

/** The last assistant of each chat pane, under the storage key of existing clients. */
function readRemembered(index: number): string | null {
  return readText(keyOf(index));
}

function remember(index: number, assistantId: string): void {
  writeText(keyOf(index), assistantId);
}

function keyOf(index: number): string {
  return `assistant_id__${index}`;
}

/** Returns a function that lets an assistant answer from the next question on, by its model. */
function useChooseAssistant({ modelTarget }: Pick<Chat, 'modelTarget'>): (assistant: Assistant) => void {
  const setModel = useSetModel();
  return ({ assistantId, model }) => {
    if (modelTarget?.endpointType !== 'assistants') return;
    const { endpoint, settings } = modelTarget;
    setModel({ endpoint, model, settings: { ...settings, assistant_id: assistantId } });
  };
}
