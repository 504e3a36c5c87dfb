import { Id } from '@parley/schema/ids';
import * as z from 'zod';
import type { Api } from '../router.ts';
import { created, plain } from './answers.ts';
import { presentConvo } from './present-convo.ts';
import type { Call } from './row.ts';

const PAGE_SIZE = 25;

const Update = z.object({ arg: z.object({ conversationId: z.string(), title: z.string() }) });
const Clear = z.object({ arg: z.object({ conversationId: Id.nullish(), source: z.string().nullish() }) });

export async function pageOfConvos(api: Api, { query, userId }: Call) {
  const pageNumber = Number(query.get('pageNumber') || 1);
  const { convos, total } = await api.convos.page({ pageNumber, pageSize: PAGE_SIZE });
  return {
    conversations: convos.map((convo) => presentConvo(userId, convo)),
    pages: Math.max(1, Math.ceil(total / PAGE_SIZE)),
    pageNumber,
    pageSize: PAGE_SIZE,
  };
}

/** One conversation with the ids of its messages, which a list of many leaves out: they may be tens of thousands. */
export async function oneConvo(api: Api, { params, userId }: Call<{ conversationId: string }>) {
  const [convo, messages] = await Promise.all([api.convos.byId(params), api.messages.ids(params)]);
  return { ...presentConvo(userId, convo), messages };
}

export async function updateConvo(api: Api, { body, userId }: Call): Promise<Response> {
  const { arg } = Update.parse(body);
  return created(presentConvo(userId, await api.convos.rename(arg)));
}

/** Deletes one, or all when no id is given; a button that lost its id deletes nothing. */
export async function clearConvos(api: Api, { body }: Call): Promise<Response> {
  const { conversationId, source } = Clear.parse(body).arg;
  if (!conversationId && source === 'button') return plain('No conversationId provided');
  const removed = conversationId ? await api.convos.remove({ conversationId }) : await api.convos.clear();
  const messages = { acknowledged: true, deletedCount: removed.deletedMessages };
  return created({ acknowledged: true, deletedCount: removed.deletedCount, messages });
}
