import { openai } from './openai.ts';
import { respondWhole, sendJson } from '../protocol.ts';
import type { FakeCall, Protocol } from '../protocol.ts';

/** OpenAI's protocol below a path prefix, with another model list: `models` builds it, for all scenario names. */
export function openAIAtPrefix(prefix: string, models: (scenarioNames: string[]) => unknown): Protocol {
  const below = (path: string) => path.slice(prefix.length);

  async function listModels({ line, demanded, scenarioNames }: FakeCall): Promise<void> {
    const script = demanded();
    if (script && script.kind !== 'stream')
      return respondWhole(script, line, ({ message, code }) => ({ error: { message, code } }));
    sendJson(line, 200, models(scenarioNames));
  }

  return {
    serves: (method, path, headers) => path.startsWith(`${prefix}/v1/`) && openai.serves(method, below(path), headers),
    async respond(exchange) {
      const path = below(exchange.path);
      return path === '/v1/models' ? listModels(exchange) : openai.respond({ ...exchange, path });
    },
  };
}
