import { readShortJson } from '../bounded-body.ts';
import { post } from '../sse-client.ts';
import type { ProviderTarget } from '../provider.ts';

/**
 * Asks ChatGPT for the title of its conversation.
 * @throws Refusal with the reason when it gives none
 */
export async function conversationTitle(
  { baseURL, apiKey, endpoint }: ProviderTarget,
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
  const { title } = (await readShortJson(response)) as { title?: unknown };
  return typeof title === 'string' ? title : '';
}
