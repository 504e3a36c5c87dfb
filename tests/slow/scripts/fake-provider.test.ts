import { startFakeProvider, scenarioText, type FakeProvider } from '@parley/scripts/fake-provider';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bestOf } from '../../support/measuring/best-of.ts';

let provider: FakeProvider;
let openai: OpenAI;

const question = 'At which pace?';

beforeAll(async () => {
  provider = await startFakeProvider();
  openai = new OpenAI({ apiKey: 'fake', baseURL: `${provider.url}/v1`, maxRetries: 0 });
});
afterAll(() => provider.close());

test('fifty streams of 200 tokens at 10 ms keep their pace', async () => {
  // A process alone on this machine needs `bare` for the same number of waits; fifty clients share it with the
  // provider.
  const ratio = await bestOf(
    1.3,
    async () => {
      const [bare, fifty] = await Promise.all([
        timed(waits),
        timed(() => Promise.all(Array.from({ length: 50 }, streams))),
      ]);
      expect(fifty).toBeGreaterThan(1_900);
      return fifty / bare;
    },
    4,
  );
  expect(ratio).toBeLessThan(1.3);

  async function streams() {
    expect(await hear('fake:tokens:200@10')).toBe(scenarioText('tokens', '200@10', question));
  }

  async function waits() {
    for (let n = 0; n < 200; n += 1) await sleep(10);
  }
});

async function timed(task: () => Promise<unknown>) {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

async function hear(model: string): Promise<string> {
  const messages = [{ role: 'user' as const, content: question }];
  const stream = await openai.chat.completions.create({ model, messages, stream: true });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  return text;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
