import { openai } from './openai.ts';
import { playOther, sendJson } from './wire.ts';
import type { Exchange, Wire } from './wire.ts';

/** OpenAI's wire below a path of its own, with another list of models: `models` gives it, for all scenarios by name. */
export function openAIBelow(prefix: string, models: (scenarioNames: string[]) => unknown): Wire {
  const below = (path: string) => path.slice(prefix.length);

  async function listModels({ line, demanded, scenarioNames }: Exchange): Promise<void> {
    const play = demanded();
    if (play && play.kind !== 'speech')
      return playOther(play, line, ({ message, code }) => ({ error: { message, code } }));
    sendJson(line, 200, models(scenarioNames));
  }

  return {
    serves: (method, path, headers) => path.startsWith(`${prefix}/v1/`) && openai.serves(method, below(path), headers),
    async answer(exchange) {
      const path = below(exchange.path);
      return path === '/v1/models' ? listModels(exchange) : openai.answer({ ...exchange, path });
    },
  };
}
