import type { Assistant } from '@parley/schema/assistants/assistants';
import type { Chat } from '../chat/use-chat.ts';
import { useSetModel } from '../slots/use-set-model.ts';

/** Returns a function that lets an assistant answer from the next question on, by its model. */
export function useChooseAssistant({ modelTarget }: Pick<Chat, 'modelTarget'>): (assistant: Assistant) => void {
  const setModel = useSetModel();
  return ({ assistantId, model }) => {
    if (modelTarget?.endpointType !== 'assistants') return;
    const { endpoint, settings } = modelTarget;
    setModel({ endpoint, model, settings: { ...settings, assistant_id: assistantId } });
  };
}
