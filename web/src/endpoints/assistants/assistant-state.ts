import type { Assistant } from '@parley/schema/assistants/assistants';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { endpointLabel } from '../../catalog/choose-model.ts';
import { useAssistants } from './use-assistants.ts';

/** Whether a chat needs an assistant, and which one answers it. */
export type AssistantState =
  | { status: 'unneeded' | 'loading' | 'failed' | 'missing' }
  | { status: 'chosen'; assistant: Assistant };

/** The assistant of a chat; without a request on other endpoints. */
export function useAssistantState(modelTarget: ModelTarget | null | undefined): AssistantState {
  const isNeeded = modelTarget?.endpointType === 'assistants';
  const { data, isError } = useAssistants({ enabled: isNeeded });
  if (!isNeeded) return { status: 'unneeded' };
  if (!data) return { status: isError ? 'failed' : 'loading' };
  const assistant = data.find(({ assistantId }) => assistantId === modelTarget.settings.assistant_id);
  return assistant ? { status: 'chosen', assistant } : { status: 'missing' };
}

/** Whether the message box is closed: nobody would answer. */
export function lacksAssistant({ status }: AssistantState): boolean {
  return status === 'missing' || status === 'failed';
}

/** Whether a question has somebody to answer it. */
export function hasAnswerer({ status }: AssistantState): boolean {
  return status === 'unneeded' || status === 'chosen';
}

/** The one name of whom a chat asks: the assistant's, else the endpoint's. */
export function answererName(endpoint: string, state: AssistantState): string {
  return (state.status === 'chosen' && state.assistant.name) || endpointLabel(endpoint);
}
