import type { Convo } from '@parley/schema/convos';
import { useRoute } from 'wouter';
import { trpc } from '../../trpc.ts';
import { useConvos } from './use-convos.ts';

/** What stands in a chat's address where it is no conversation's. */
const NO_CONVO = ['new', 'search'];

/** The id in the address, null for a new chat, in the search view and outside a chat. */
export function useOpenId(): string | null {
  const [, params] = useRoute('/c/:conversationId');
  const id = params?.conversationId;
  return !id || NO_CONVO.includes(id) ? null : id;
}

/** The open convo as far as it is known; null for a new one. Asks nobody. */
export function useOpenConvo(): Convo | null {
  const id = useOpenId();
  const { convos } = useConvos();
  const single = trpc.convos.byId.useQuery({ conversationId: id ?? '' }, { enabled: false });
  if (id === null) return null;
  return convos.find((one) => one.conversationId === id) ?? single.data ?? null;
}
