import type { Convo } from '@parley/schema/convos/convos';
import type { Api } from '../../router.ts';
import { refusalOf } from '../errors.ts';
import { presentConvo } from './present-convo.ts';

/** A conversation with the ids of its messages; lists leave them out, since there may be tens of thousands. */
export async function wholeConvo(api: Api, userId: string, convo: Convo) {
  const { conversationId } = convo;
  const messages = await api.messages.ids({ conversationId }).catch(noneIfGone);
  return { ...presentConvo(userId, convo), messages };
}

/** An answer may end when its conversation is deleted. */
function noneIfGone(error: unknown): string[] {
  if (refusalOf(error)?.reason.type === 'not_found') return [];
  throw error;
}
