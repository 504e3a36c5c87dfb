// Embeds texts by the model that the operator has chosen, over any endpoint with OpenAI's embeddings call.
import type { Config } from '../config/config.ts';
import type { Endpoints } from '../catalog/endpoint.ts';
import { withDeadline } from '../platform/deadline.ts';
import { Refusal } from '../platform/errors.ts';
import { embedTexts } from '../providers/openai/embeddings.ts';
import { unit } from './vectors.ts';

export interface Embedder {
  /** Endpoint and model: vectors of different ones cannot be compared. */
  model: string;
  /**
   * The vectors of at most `BATCH` texts, in their order, each of length one. With a key of this user, where users
   * provide the key.
   * @throws Refusal with the reason
   */
  embed(userId: string, texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** How many texts are embedded by one call. */
export const BATCH = 96;
const CALL_MS = 60_000;

/** Null when no model is configured. */
export function createEmbedder({ retrieval }: Pick<Config, 'retrieval'>, endpoints: Endpoints): Embedder | null {
  if (!retrieval.embeddings) return null;
  const { endpoint: name, model } = retrieval.embeddings;
  return {
    model: `${name}/${model}`,
    async embed(userId, texts, signal) {
      const target = await endpoints.assert(name).target(userId, model);
      const vectors = await embedTexts({ target, model }, texts, withDeadline(CALL_MS, signal));
      return vectors.map(unit);
    },
  };
}

/** Whether the same call may succeed later. A key or a model that is refused stays refused until somebody acts. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Refusal)) return true;
  switch (error.reason.type) {
    case 'provider_rate_limited':
    case 'provider_unavailable':
    case 'provider_broke_off':
    case 'provider_malformed':
    case 'insufficient_quota':
      return true;
    default:
      return false;
  }
}
