import { withoutTrailingSlash } from '../addresses.ts';
import { configError } from '../config-error.ts';
import type { Env } from '../env/env.ts';

export type EmbeddingModel = { endpoint: string; model: string };

export type RetrievalConfig = {
  /** What embeds the text of files; undefined when files are found by their words alone. */
  embeddings: EmbeddingModel | undefined;
  /** The service that indexes and finds instead, its address without a trailing slash; undefined for our own index. */
  rag: { url: string; usesFullContext: boolean } | undefined;
};

/** The endpoint types that share OpenAI's embeddings call. */
const EMBEDDING_TYPES = ['openAI', 'azureOpenAI', 'custom'];

interface Configured {
  name: string;
  type: string;
}

/**
 * `configured` are the endpoints that are on.
 * @throws ConfigError for an endpoint that is off or has no embeddings call
 */
export function retrievalConfig(env: Env, configured: readonly Configured[]): RetrievalConfig {
  const url = env.RAG_API_URL;
  const rag = url && { url: withoutTrailingSlash(url), usesFullContext: env.RAG_USE_FULL_CONTEXT ?? false };
  const endpoint = env.EMBEDDINGS_ENDPOINT;
  if (endpoint === undefined) return { embeddings: undefined, rag: rag || undefined };
  const able = embeddingEndpoints(configured);
  if (!able.includes(endpoint))
    throw configError(
      `EMBEDDINGS_ENDPOINT must name a configured endpoint that follows OpenAI's protocol (${able.join(', ') || 'there is none'}), but is ${JSON.stringify(endpoint)}.`,
    );
  return { embeddings: { endpoint, model: env.EMBEDDINGS_MODEL ?? 'text-embedding-3-small' }, rag: rag || undefined };
}

/**
 * What programs may ask for embeddings: the model of files, if there is one, then those that are named beside it, by
 * `endpoint/model` or as other models of the same endpoint.
 * @throws ConfigError for a model of an endpoint that is off or has no embeddings call
 */
export function servedEmbeddings(env: Env, configured: readonly Configured[]): EmbeddingModel[] {
  const { embeddings } = retrievalConfig(env, configured);
  const able = embeddingEndpoints(configured);
  const named = (env.EMBEDDINGS_MODELS ?? []).map((id): EmbeddingModel => {
    const owner = configured.find(({ name }) => id.startsWith(`${name}/`))?.name;
    const endpoint = owner ?? embeddings?.endpoint;
    const model = owner === undefined ? id : id.slice(owner.length + 1);
    if (endpoint !== undefined && able.includes(endpoint) && model !== '') return { endpoint, model };
    throw configError(
      `EMBEDDINGS_MODELS must name models of configured endpoints that follow OpenAI's protocol, as endpoint/model (${able.join(', ') || 'there is none'}), but has ${JSON.stringify(id)}.`,
    );
  });
  const all = embeddings ? [embeddings, ...named] : named;
  return [...new Map(all.map((one) => [`${one.endpoint}/${one.model}`, one])).values()];
}

function embeddingEndpoints(configured: readonly Configured[]): string[] {
  return configured.filter(({ type }) => EMBEDDING_TYPES.includes(type)).map(({ name }) => name);
}
