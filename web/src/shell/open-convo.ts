import { useRoute } from 'wouter';
import { trpc } from '../trpc.ts';
import { useConvos } from './use-convos.ts';

/** The id in the address, null for a new chat and outside a chat. */
export function useOpenId(): string | null {
  const [, params] = useRoute('/c/:conversationId');
  const id = params?.conversationId;
  return !id || id === 'new' ? null : id;
}

/** The title of the open convo as far as it is known; null for a new or not yet titled one. Asks nobody. */
export function useOpenTitle(): string | null {
  const id = useOpenId();
  const { convos } = useConvos();
  const single = trpc.convos.byId.useQuery({ conversationId: id ?? '' }, { enabled: false });
  if (id === null) return null;
  return convos.find((one) => one.conversationId === id)?.title ?? single.data?.title ?? null;
}
