/** What Ollama has beside OpenAI's paths: the list of the models on its machine. */
import { playOther, sendJson } from './wire.ts';
import type { Wire } from './wire.ts';

export const ollama: Wire = {
  serves: (method, path) => method === 'GET' && path === '/api/tags',
  async answer({ line, demanded, scenarioNames }) {
    const play = demanded();
    if (play && play.kind !== 'speech') return playOther(play, line, ({ message }) => ({ error: message }));
    const names = ['llama3:latest', ...scenarioNames.map((name) => `fake:${name}`)];
    const models = names.map((name) => ({
      name,
      model: name,
      modified_at: '2024-04-18T00:00:00Z',
      size: 4_661_224_676,
    }));
    sendJson(line, 200, { models });
  },
};
