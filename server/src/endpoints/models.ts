import * as z from 'zod';

const TIMEOUT_MS = 5000;
const FRESH_MS = 10 * 60_000;
/** After a failure the provider is asked again sooner. */
const RETRY_MS = 60_000;

export interface ModelSource {
  url: string;
  apiKey: string;
  /** OpenAI's own list holds much that does not chat. */
  filter: boolean;
}

const Answer = z.object({ data: z.array(z.object({ id: z.string() })) });

/** The models of an endpoint: fetched when there is a source, otherwise and when that fails the given ones. */
export function createModelList(
  endpoint: string,
  given: readonly string[],
  source: ModelSource | null,
  onNotice: (text: string) => void,
): () => Promise<readonly string[]> {
  if (!source) return async () => given;
  let known: readonly string[] = given;
  let staleAt = 0;
  let fetching: Promise<readonly string[]> | null = null;
  return async () => {
    if (Date.now() < staleAt) return known;
    fetching ??= refresh().finally(() => (fetching = null));
    return fetching;
  };

  async function refresh(): Promise<readonly string[]> {
    try {
      known = await fetchModels(source as ModelSource);
      staleAt = Date.now() + FRESH_MS;
    } catch (error) {
      onNotice(`The models of ${endpoint} could not be fetched, so its known ones are offered: ${textOf(error)}`);
      staleAt = Date.now() + RETRY_MS;
    }
    return known;
  }
}

async function fetchModels({ url, apiKey, filter }: ModelSource): Promise<string[]> {
  const response = await fetch(`${url}/models`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const ids = Answer.parse(await response.json()).data.map((model) => model.id);
  if (ids.length === 0) throw new Error('the list is empty');
  return filter ? chatModels(ids) : ids;
}

function chatModels(ids: string[]): string[] {
  const chat = ids.filter((id) => id.includes('gpt-') || id.includes('text-davinci-003'));
  return chat.toSorted((a, b) => Number(a.includes('instruct')) - Number(b.includes('instruct')));
}

function textOf(error: unknown): string {
  return error instanceof z.ZodError
    ? 'the answer is no model list'
    : error instanceof Error
      ? error.message
      : String(error);
}
