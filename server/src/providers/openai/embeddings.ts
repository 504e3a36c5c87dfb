// The embeddings call of OpenAI, Azure and compatible providers.
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import { Refusal, refuse } from '../../platform/errors.ts';
import { readBounded } from '../../platform/deadline.ts';
import { withoutLength } from '../bounded-body.ts';
import { reasonOfFailure } from '../failure.ts';
import type { ProviderTarget } from '../provider.ts';
import { connect } from './client.ts';

/** In bytes: a hundred vectors of 4,096 values are a third of it. */
const ANSWER_MAX = 32 * 1024 * 1024;

/** A text, or its tokens by the model's own tokenizer. */
export type EmbeddingInput = string | number[];

export interface Embedder {
  target: ProviderTarget;
  model: string;
  /** How many numbers a vector has; the model's own count where it is absent. */
  dimensions?: number | undefined;
}

/**
 * The vectors of the texts, in their order and all of one size.
 * @throws Refusal with the reason of a failure; `provider_malformed` for vectors that do not fit
 */
export async function embedTexts(
  { target, model, dimensions }: Embedder,
  texts: readonly EmbeddingInput[],
  signal: AbortSignal,
): Promise<number[][]> {
  try {
    const client = await connect(target, boundedWhole(target.fetch));
    // A deployment of Azure's is its model.
    const named = target.dropParams.includes('model') ? {} : { model };
    // Not every compatible provider knows the client's default, base64.
    const size = dimensions === undefined ? {} : { dimensions };
    const wish = { ...named, ...size, input: [...texts], encoding_format: 'float' as const };
    const body = wish as EmbeddingCreateParams;
    const { data } = await client.embeddings.create(body, { signal });
    const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
    return assertFitting(vectors, texts.length);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof Refusal ? error : new Refusal(reasonOfFailure(error, target.endpoint));
  }
}

function assertFitting(vectors: number[][], count: number): number[][] {
  const size = vectors[0]?.length ?? 0;
  const isFitting = (vector: number[]) => vector.length === size && vector.every(Number.isFinite);
  if (vectors.length !== count || size === 0 || !vectors.every(isFitting)) refuse({ type: 'provider_malformed' });
  return vectors;
}

function boundedWhole(fetch: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText, headers } = response;
    const body = await readBounded(response, ANSWER_MAX, () => new Refusal({ type: 'provider_malformed' }));
    return new Response(new Uint8Array(body), { status, statusText, headers: withoutLength(headers) });
  };
}
