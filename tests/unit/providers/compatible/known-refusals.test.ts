// What servers of endpoints have refused, in two processes.
import { createKnownRefusals } from '@parley/server/providers/compatible/refusals';
import { expect, test } from 'vitest';

const vllm = { endpoint: 'My vLLM', baseURL: 'https://vllm.example/secret-of-alice/v1' };

test('all processes know what one learns, and only the first one logs it', () => {
  const logged: string[] = [];
  const told: string[] = [];
  const onLearned = (text: string) => void logged.push(text);
  const other = createKnownRefusals({ onLearned: () => expect.unreachable() });
  const first = createKnownRefusals({
    onLearned,
    tell(text) {
      told.push(text);
      // Its own notification comes back to it.
      first.hear(text);
      other.hear(text);
    },
  });
  for (let time = 0; time < 3; time++) first.add(vllm, { name: 'user', model: null });
  first.add(vllm, { name: 'role: system', model: 'Qwen 3.5 32B' });
  expect(other.ofEndpoint('My vLLM')).toEqual(first.ofEndpoint('My vLLM'));
  expect(other.of(vllm)).toMatchObject([
    { name: 'user', model: null },
    { name: 'role: system', model: 'Qwen 3.5 32B' },
  ]);
  expect(other.of({ ...vllm, baseURL: 'https://other.example/v1' })).toEqual([]);
  expect(other.of({ ...vllm, endpoint: 'Another' })).toEqual([]);
  expect(logged).toHaveLength(2);
  // Topics are words, and no address that a person gave is in them.
  expect(told).toEqual([expect.stringMatching(/^[\w-]+$/), expect.stringMatching(/^[\w-]+$/)]);
  for (const text of told) expect(Buffer.from(text, 'base64url').toString()).not.toContain('secret-of-alice');
});

test('a name too long for a notification is known in its own process only', () => {
  const told: string[] = [];
  const known = createKnownRefusals({ tell: (text) => told.push(text) });
  known.add(vllm, { name: 'x'.repeat(5_000), model: null });
  expect(known.of(vllm)).toHaveLength(1);
  expect(told).toEqual([]);
});

test('the oldest of more than a thousand refusals is forgotten', () => {
  const known = createKnownRefusals();
  for (let n = 0; n <= 1_000; n++) known.add(vllm, { name: `field_${n}`, model: null });
  expect(known.of(vllm)).toHaveLength(1_000);
  expect(known.of(vllm)[0]).toMatchObject({ name: 'field_1' });
});
