// REST handler for aborting a run (docs/rest-compat.md, Streaming: ask, edit, abort).
import * as z from 'zod';
import { isNew } from '../compat/missing-question.ts';
import { stopPendingAsk } from '../compat/pending-asks.ts';
import { presentFinal } from '../present/exchange-frames.ts';
import type { Api } from '../../router.ts';
import { refusedRequest } from '../errors.ts';
import type { Call } from '../route.ts';

const Key = z.object({ abortKey: z.string() });
export const AbortBody = z.union([Key, z.object({ arg: Key }).transform(({ arg }) => arg)]);

/** Of a body with or without `arg` around it; empty when it has none. */
export function abortKeyOf(body: unknown): string {
  return AbortBody.safeParse(body).data?.abortKey ?? '';
}

/** Stops the run of a conversation and returns its final event; 204 when nothing runs. */
export async function abort(api: Api, { body, userId }: Call): Promise<Response> {
  const key = abortKeyOf(body);
  const final = (await stopPendingAsk(api, userId, key)) ?? (await stopRunning(api, userId, key));
  return final ? Response.json(await presentFinal(api, userId, final)) : new Response(null, { status: 204 });
}

/** The final event of the run of a conversation; null when nothing runs. */
export async function stopRunning(api: Api, userId: string, key: string) {
  const generationId = await findRunning(api, userId, key);
  return generationId === null ? null : api.messages.abort({ generationId });
}

/**
 * `key` is the conversation id; a client that does not know it yet sends its user's id, `new` or nothing, and means the
 * newest run.
 */
async function findRunning(api: Api, userId: string, key: string): Promise<string | null> {
  if (key === userId || isNew({ conversationId: key })) {
    const { convos } = await api.convos.list({});
    return convos.find((convo) => convo.running !== null)?.running ?? null;
  }
  try {
    return (await api.convos.byId({ conversationId: key })).running;
  } catch (error) {
    const refused = refusedRequest(error);
    if (refused?.reason.type === 'not_found' || refused?.reason.type === 'invalid_input') return null;
    throw error;
  }
}
