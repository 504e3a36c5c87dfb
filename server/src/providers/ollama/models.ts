import * as z from 'zod';
import { Window, windowIn, type ModelMetadata } from '../model-metadata.ts';
import type { ModelSource } from '../model-source.ts';

const List = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Ollama lists its models beside the paths that it shares with OpenAI, and describes each of them separately. */
export function ollamaModels(baseURL: string): ModelSource {
  const origin = baseURL.replace(/\/v1$/, '');
  const running = new Map<string, ModelMetadata>();
  return {
    url: `${origin}/api/tags`,
    headers: {},
    read: (response) => List.parse(response).models.map(({ name }) => ({ id: name })),
    description: { url: `${origin}/api/show`, body: (model) => ({ model }), read: ollamaMetadata },
    running: {
      url: `${origin}/api/ps`,
      read: (response) => {
        for (const [id, metadata] of ollamaRunningMetadata(response)) running.set(id, metadata);
        return running;
      },
    },
  };
}

const Shown = z.object({
  parameters: z.string().catch(''),
  model_info: z.record(z.string(), z.unknown()).catch({}),
});

/**
 * The window in tokens that Ollama uses on a common machine unless configured. Its OpenAI protocol cannot set the
 * window, and Ollama silently cuts longer prompts, so no window is assumed larger than known.
 */
const DEFAULT_WINDOW_TOKENS = 4096;

/**
 * The metadata from Ollama's description of a model: its configured window, else the part of its maximum that is
 * certain.
 */
export function ollamaMetadata(response: unknown): ModelMetadata {
  const { parameters, model_info: info } = Shown.parse(response);
  const set = /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1];
  const most = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1];
  if (set !== undefined) return windowIn(Number(set));
  return typeof most === 'number' ? windowIn(Math.min(most, DEFAULT_WINDOW_TOKENS)) : {};
}

const Running = z.object({ models: z.array(z.object({ name: z.string(), context_length: Window })) });

/** The windows of the models that Ollama has loaded. */
function ollamaRunningMetadata(response: unknown): [id: string, metadata: ModelMetadata][] {
  return Running.parse(response).models.flatMap(({ name, context_length: window }) =>
    window === undefined ? [] : [[name, { window }]],
  );
}
