/** What Ollama has beside OpenAI's paths: the list of the models on its machine, and what it tells of each. */
import { playOther, sendJson } from './wire.ts';
import type { Exchange, Wire } from './wire.ts';

export const ollama: Wire = {
  serves: (method, path) => `${method} ${path}` === 'GET /api/tags' || `${method} ${path}` === 'POST /api/show',
  async answer({ line, path, request, demanded, scenarioNames }) {
    const play = demanded();
    if (play && play.kind !== 'speech') return playOther(play, line, ({ message }) => ({ error: message }));
    if (path === '/api/show') return show(line, request.body);
    const names = ['llama3:latest', 'llama3-long:latest', ...scenarioNames.map((name) => `fake:${name}`)];
    const models = names.map((name) => ({
      name,
      model: name,
      modified_at: '2024-04-18T00:00:00Z',
      size: 4_661_224_676,
    }));
    sendJson(line, 200, { models });
  },
};

/** The second model was set to less than it could have; of the others nothing is told. */
function show(line: Exchange['line'], body: unknown): void {
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined;
  const info = { 'general.architecture': 'llama', 'llama.context_length': 8192, 'llama.block_count': 32 };
  if (model === 'llama3:latest') return sendJson(line, 200, { parameters: 'stop "<|eot_id|>"', model_info: info });
  if (model === 'llama3-long:latest')
    return sendJson(line, 200, { parameters: 'num_ctx    6000\nstop   "<|eot_id|>"', model_info: info });
  sendJson(line, 404, { error: `model '${String(model)}' not found` });
}
