import { withoutTrailingSlash } from '../addresses.ts';
import { configError } from '../config-error.ts';
import type { Env } from '../env/env.ts';

export type RetrievalConfig = {
  /** The endpoint and model that embed the text of files; undefined when files are found by their words alone. */
  embeddings: { endpoint: string; model: string } | undefined;
  /** The service that indexes and finds instead, its address without a trailing slash; undefined for our own index. */
  rag: { url: string; usesFullContext: boolean } | undefined;
};

/** The endpoint types that share OpenAI's embeddings call. */
const EMBEDDING_TYPES = ['openAI', 'azureOpenAI', 'custom'];

/**
 * `configured` are the endpoints that are on, with their types.
 * @throws ConfigError for an endpoint that is off or has no embeddings call
 */
export function retrievalConfig(env: Env, configured: readonly { name: string; type: string }[]): RetrievalConfig {
  const url = env.RAG_API_URL;
  const rag = url && { url: withoutTrailingSlash(url), usesFullContext: env.RAG_USE_FULL_CONTEXT ?? false };
  const endpoint = env.EMBEDDINGS_ENDPOINT;
  if (endpoint === undefined) return { embeddings: undefined, rag: rag || undefined };
  const able = configured.filter(({ type }) => EMBEDDING_TYPES.includes(type)).map(({ name }) => name);
  if (!able.includes(endpoint))
    throw configError(
      `EMBEDDINGS_ENDPOINT must name a configured endpoint that follows OpenAI's protocol (${able.join(', ') || 'there is none'}), but is ${JSON.stringify(endpoint)}.`,
    );
  return { embeddings: { endpoint, model: env.EMBEDDINGS_MODEL ?? 'text-embedding-3-small' }, rag: rag || undefined };
}
