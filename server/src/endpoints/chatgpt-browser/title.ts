import { post } from '../plain-wire.ts';
import type { Upstream } from '../provider.ts';

/**
 * What ChatGPT calls a conversation of its own after a message.
 * @throws Refusal with the reason when it gives no title
 */
export async function conversationTitle(
  { baseURL, apiKey, endpoint }: Upstream,
  { conversationId, messageId, model }: { conversationId: string; messageId: string; model: string },
  signal: AbortSignal,
): Promise<string> {
  const response = await post({
    url: `${baseURL}/gen_title/${encodeURIComponent(conversationId)}`,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message_id: messageId, model }),
    signal,
    endpoint,
  });
  const { title } = (await response.json()) as { title?: unknown };
  return typeof title === 'string' ? title : '';
}
