import type { Chat } from '../chat/use-chat.ts';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { needsKey } from '../keys/key-state.ts';

/** Whether assistants can be built: in their chats, unless the operator has closed the builder or a key is missing. */
export function useHasBuilder({ modelTarget, keyState }: Pick<Chat, 'modelTarget' | 'keyState'>): boolean {
  const catalog = useCatalog();
  if (modelTarget?.endpointType !== 'assistants') return false;
  const config = catalog?.endpoints[modelTarget.endpoint];
  return config !== undefined && config.disableBuilder !== true && !needsKey(keyState);
}
