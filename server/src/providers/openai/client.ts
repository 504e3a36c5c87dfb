import type OpenAI from 'openai';
import type { ProviderTarget } from '../provider.ts';

/** The official client for a target, loaded when it is first needed. `fetch` bounds what it reads. */
export async function connect(
  { baseURL, apiKey, organization, headers, query }: ProviderTarget,
  fetch: typeof globalThis.fetch,
): Promise<OpenAI> {
  const { default: OpenAI } = await import('openai');
  return new OpenAI({
    baseURL,
    apiKey,
    organization: organization ?? null,
    project: null,
    defaultHeaders: headers,
    defaultQuery: query,
    fetch,
    // No retries: a failure is shown at once with its reason and a retry button, rather than after a silent half
    // minute.
    maxRetries: 0,
    // The server logs failures itself, without message text.
    logLevel: 'off',
  });
}
