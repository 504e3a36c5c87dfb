import * as z from 'zod';
import { stopArriving } from './arriving.ts';
import { finalOf } from './exchange-frames.ts';
import type { Api } from '../router.ts';
import { refusedWith } from './refused.ts';
import type { Call } from './row.ts';

const Key = z.object({ abortKey: z.string() });
const Wire = z.union([Key, z.object({ arg: Key }).transform(({ arg }) => arg)]);

/** Stops what runs in a conversation and answers with its final event; 204 when nothing does. */
export async function abort(api: Api, { body, userId }: Call): Promise<Response> {
  const key = Wire.safeParse(body).data?.abortKey ?? '';
  const final = (await stopArriving(api, userId, key)) ?? (await stopRunning(api, userId, key));
  return final ? Response.json(finalOf(userId, final)) : new Response(null, { status: 204 });
}

async function stopRunning(api: Api, userId: string, key: string) {
  const generationId = await findRunning(api, userId, key);
  return generationId === null ? null : api.messages.abort({ generationId });
}

/** The key is the conversation; a client that does not know it yet gives its user's id and means the newest. */
async function findRunning(api: Api, userId: string, key: string): Promise<string | null> {
  if (key === userId) {
    const { convos } = await api.convos.list({});
    return convos.find((convo) => convo.running !== null)?.running ?? null;
  }
  try {
    return (await api.convos.byId({ conversationId: key })).running;
  } catch (error) {
    const refused = refusedWith(error);
    if (refused?.reason.type === 'not_found' || refused?.reason.type === 'invalid_input') return null;
    throw error;
  }
}
