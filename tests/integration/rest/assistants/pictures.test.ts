// Images that tools made, as existing clients of assistants get them.
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askAssistant } from '../../../support/rest/assistant-rules.ts';
import { NO_PARENT, signUp, type Client } from '../../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
let upstreams: PluginUpstreams;
let alice: Client;

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
  const painter = { DALLE_API_KEY: 'dalle-key', DALLE_REVERSE_PROXY: `${upstreams.url}/v1` };
  server = await startTestServer({ env: { OPENAI_MODELS: 'gpt-4', TITLE_CONVO: 'false', ...painter } });
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await server.close();
  await upstreams.close();
});

it('a painted image takes the place of its call, in the frames and in the stored message', async () => {
  const made = await alice.post('/api/assistants', { model: 'gpt-4', tools: ['dalle'] });
  const { id: assistant_id } = (await made.json()) as { id: string };
  const text = 'Paint. [[call-tool:dalle {"prompt":"a kite"} => Here it is.]]';
  const body = { text, assistant_id, endpoint: 'assistants', parentMessageId: NO_PARENT, conversationId: null };
  const { parts, texts, sync, final } = await askAssistant(alice, body);
  expect(final).toBeDefined();
  const calls = parts.filter((part) => part.type === 'tool_call');
  const images = parts.filter((part) => part.type === 'image_file');
  expect(calls.length).toBeGreaterThan(0);
  expect(images.at(-1)).toMatchObject({
    index: calls[0]?.index,
    image_file: {
      file_id: expect.any(String),
      filepath: expect.stringMatching(/^\/images\//),
      prompt: expect.stringContaining('a kite'),
    },
  });
  expect(texts.at(-1)?.index).toBeGreaterThan(images.at(-1)?.index ?? 99);
  const stored = (await alice.messages(sync?.conversationId ?? '')) as { content?: { type: string }[] }[];
  const content = stored.at(-1)?.content?.map(({ type }) => type);
  expect(content).toContain('image_file');
  expect(content).not.toContain('tool_call');
});
