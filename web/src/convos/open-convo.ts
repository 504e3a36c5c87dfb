import type { Convo } from '@parley/schema/convos/convos';
import { useRoute } from 'wouter';
import { trpc } from '../trpc.ts';
import { useConvos } from './use-convos.ts';

/** The segment of a chat's address when it is not a conversation id. */
const NO_CONVO = ['new', 'search'];

/** The id in the address; null for a new chat, in the search view and outside a chat. */
export function useOpenId(): string | null {
  const [, params] = useRoute('/c/:conversationId');
  const id = params?.conversationId;
  return !id || NO_CONVO.includes(id) ? null : id;
}

/** The open convo from the cache; null for a new one. Sends no request. */
export function useOpenConvo(): Convo | null {
  const id = useOpenId();
  const { convos } = useConvos();
  const single = trpc.convos.byId.useQuery({ conversationId: id ?? '' }, { enabled: false });
  if (id === null) return null;
  return convos.find((one) => one.conversationId === id) ?? single.data ?? null;
}
