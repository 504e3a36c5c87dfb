import type { Convo } from '@parley/schema/convos/convos';
import type { Api } from '../../router.ts';
import { refusedRequest } from '../errors.ts';
import type { TaggedConvo, WholeConvo } from '../shapes/convo.ts';
import { presentConvo } from './present-convo.ts';

/** A conversation with the ids of its messages; lists leave them out, since there may be tens of thousands. */
export async function wholeConvo(api: Api, userId: string, convo: Convo): Promise<WholeConvo> {
  const { conversationId } = convo;
  const messages = await api.messages.ids({ conversationId }).catch(noneIfGone);
  const [shown] = await presentTagged(api, userId, [convo]);
  return { ...(shown ?? presentConvo(userId, convo)), messages };
}

/** With the names of their folders as tags. Nobody who has no folders waits for their names. */
export async function presentTagged(api: Api, userId: string, convos: readonly Convo[]): Promise<TaggedConvo[]> {
  const isFiled = convos.some(({ folderId }) => folderId !== null);
  const names = new Map(isFiled ? (await api.folders.list()).map(({ id, name }) => [id, name]) : []);
  return convos.map((convo) => {
    const tag = convo.folderId === null ? undefined : names.get(convo.folderId);
    return { ...presentConvo(userId, convo), ...(tag !== undefined && { tags: [tag] }) };
  });
}

/** An answer may end when its conversation is deleted. */
function noneIfGone(error: unknown): string[] {
  if (refusedRequest(error)?.reason.type === 'not_found') return [];
  throw error;
}
