/** Ollama's own paths beside OpenAI's: the local models, their descriptions, and the running ones. */
import { respondWhole, sendJson } from '../protocol.ts';
import type { FakeCall, Protocol } from '../protocol.ts';

export const ollama: Protocol = {
  serves: (method, path) => ['GET /api/tags', 'GET /api/ps', 'POST /api/show'].includes(`${method} ${path}`),
  async respond({ line, path, request, demanded, scenarioNames }) {
    const script = demanded();
    if (script && script.kind !== 'stream') return respondWhole(script, line, ({ message }) => ({ error: message }));
    if (path === '/api/show') return show(line, request.body);
    if (path === '/api/ps') return sendJson(line, 200, { models: [RUNNING] });
    const names = [
      'llama3:latest',
      'llama3-long:latest',
      'llama3-loaded:latest',
      ...scenarioNames.map((name) => `fake:${name}`),
    ];
    const models = names.map((name) => ({
      name,
      model: name,
      modified_at: '2024-04-18T00:00:00Z',
      size: 4_661_224_676,
    }));
    sendJson(line, 200, { models });
  },
};

const RUNNING = { name: 'llama3-loaded:latest', size: 6_591_830_464, context_length: 7168 };

/** The second model is configured below its maximum; of the others only the running one has a window. */
function show(line: FakeCall['line'], body: unknown): void {
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined;
  const info = { 'general.architecture': 'llama', 'llama.context_length': 8192, 'llama.block_count': 32 };
  if (model === 'llama3:latest' || model === RUNNING.name)
    return sendJson(line, 200, { parameters: 'stop "<|eot_id|>"', model_info: info });
  if (model === 'llama3-long:latest')
    return sendJson(line, 200, { parameters: 'num_ctx    6000\nstop   "<|eot_id|>"', model_info: info });
  sendJson(line, 404, { error: `model '${String(model)}' not found` });
}
