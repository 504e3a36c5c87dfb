import { ollamaModels } from '../providers/ollama/models.ts';
import type { Ollama } from '../providers/ollama/ollama.ts';
import { fetchModels } from './fetch-models.ts';

/** How long a server start waits for Ollama: only where something listens there and does not answer. */
const TIMEOUT_MS = 2000;

/** The Ollama at an address, if it has a model. Never throws. */
export async function findOllama(url: string): Promise<Ollama | null> {
  return fetchModels(ollamaModels(url), TIMEOUT_MS).then(
    (models) => ({ url, models: models.map(({ id }) => id) }),
    () => null,
  );
}
