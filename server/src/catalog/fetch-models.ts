// Fetches a provider's model list, and the metadata that the list itself lacks.
import { readBounded } from '../platform/deadline.ts';
import { maskSecrets } from '../platform/secrets.ts';
import type { ModelMetadata } from '../providers/model-metadata.ts';
import type { ListedModel, ModelSource } from '../providers/model-source.ts';

/** Limits on the number of models and the length of their names. */
const MODELS_MAX = 2000;
const NAME_MAX = 256;
/** In bytes; the list may come from a user's own server. */
const ANSWER_MAX = 16 * 1024 * 1024;
/** How many models are described concurrently, and how long to wait for the descriptions. */
const DESCRIBED_AT_ONCE = 8;
const DESCRIBE_MS = 2000;

/** In bytes: a sentence and what is around it. */
const REFUSAL_MAX = 8192;

/** A shorter word is none: a key of Ollama, a version. */
const KEY_MIN = 8;

/** The provider answers with an error. */
export class RefusedList extends Error {
  readonly status: number;
  readonly headers: Headers;
  /** Its body, or what there is of it. */
  readonly text: string;

  private constructor({ status, headers }: Response, text: string) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** Some servers repeat the key that they refuse: `secrets` are kept out of what they say. */
  static async of(response: Response, secrets: readonly string[]): Promise<RefusedList> {
    const text = await beginningOf(response).catch(() => '');
    return new RefusedList(response, maskSecrets(text, secrets));
  }
}

/** Fetches once; throws when no list of at least one model arrives in time. */
export async function fetchModels(source: ModelSource, timeoutMs: number): Promise<ListedModel[]> {
  const { url, headers, read, fetch: call = fetch } = source;
  const response = await call(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw await RefusedList.of(response, secretsIn(source));
  const models = read(await jsonOf(response)).filter(({ id }) => id !== '' && id.length <= NAME_MAX);
  if (models.length === 0) throw new Error('the list is empty');
  return models.slice(0, MODELS_MAX);
}

/** The keys in a request: in its headers, or in its address. */
function secretsIn({ url, headers }: ModelSource): string[] {
  const words = Object.values(headers).flatMap((value) => value.split(' '));
  return [...words, ...new URL(url).searchParams.values()].filter((word) => word.length >= KEY_MIN);
}

/**
 * Adds the metadata that the provider reports for each model separately. What does not arrive in time stays unknown.
 */
export async function withMetadata(models: ListedModel[], source: ModelSource): Promise<ListedModel[]> {
  const { description, running, headers, fetch: call = fetch } = source;
  if (!description) return models;
  const { url, body, read } = description;
  const signal = AbortSignal.timeout(DESCRIBE_MS);
  const now = running && fetchRunning(running);
  const waiting = models.entries();
  const described = [...models];
  await Promise.all(Array.from({ length: DESCRIBED_AT_ONCE }, describeNext));
  return described;

  async function describeNext(): Promise<void> {
    for (const [index, model] of waiting)
      described[index] = { ...model, ...(await fetchMetadata(model.id)), ...(await now)?.get(model.id) };
  }

  async function fetchMetadata(id: string): Promise<ModelMetadata> {
    try {
      const response = await call(url, { method: 'POST', headers, body: JSON.stringify(body(id)), signal });
      return response.ok ? read(await jsonOf(response)) : {};
    } catch {
      return {};
    }
  }

  async function fetchRunning({ url: address, read: readRunning }: NonNullable<ModelSource['running']>) {
    try {
      const response = await call(address, { headers, signal });
      return response.ok ? readRunning(await jsonOf(response)) : null;
    } catch {
      return null;
    }
  }
}

async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= REFUSAL_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, REFUSAL_MAX).toString();
}

/** Refuses an answer that is larger than a list can be. */
async function jsonOf(response: Response): Promise<unknown> {
  const body = await readBounded(response, ANSWER_MAX, () => new Error('the answer is too long'));
  return JSON.parse(body.toString());
}
