// @vitest-environment happy-dom
// Every event that the server records for administrators has a sentence on their page.
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { describeEvent } from '../../../../web/src/admin/audit/describe-event.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);

const SERVER = `${import.meta.dirname}/../../../../server/src/admin/`;
const EVENT = /'((?:access|budget|group|invitation|person|providers?|registration|retention|tool)\.[a-z_]+)'/g;

function recordedEvents(): string[] {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const named = files.flatMap((file) => [...readFileSync(SERVER + file, 'utf8').matchAll(EVENT)]);
  return [...new Set(named.map(([, event = '']) => event))].toSorted();
}

test('no event is shown by its name alone', () => {
  const events = recordedEvents();
  expect(events).toContain('person.joined_directory');
  const shown = (event: string) =>
    describeEvent({ event, actorId: 'u1', actor: 'Ada', details: { name: 'Bob' } }, i18n.t);
  expect(events.filter((event) => shown(event).includes(event))).toEqual([]);
});

test('a provider is called as its menu calls it, whatever happened to it', () => {
  for (const event of ['provider.saved', 'provider.switched', 'provider.removed', 'access.set']) {
    const details = { name: 'openAI', groups: null, models: null };
    expect(describeEvent({ event, actorId: 'u1', actor: 'Ada', details }, i18n.t)).toContain('OpenAI');
  }
});

test('a budget says whose it is and for how long, a person by name and address', () => {
  const said = (details: Record<string, string | number>) =>
    describeEvent({ event: 'budget.set', actorId: 'u1', actor: 'Ada', details }, i18n.t).replace(/[\u2068\u2069]/g, '');
  const credits = 12_500_000;
  expect(said({ scope: 'each', period: 'month', credits })).toBe('Ada set a budget: Each person (A month), $12.50');
  expect(said({ scope: 'person', period: 'day', credits, name: 'Bob', email: 'bob@example.com' })).toBe(
    'Ada set a budget: Bob (bob@example.com) (A day), $12.50',
  );
});

test('a price says of which model, and what it is in US dollars', () => {
  const said = (event: string, details: Record<string, string | number | null>) =>
    describeEvent({ event, actorId: 'u1', actor: 'Ada', details }, i18n.t).replace(/[\u2068\u2069]/g, '');
  const price = { name: 'openAI', model: '*', input: 0.0375, cachedRead: null, cachedWrite: null, output: 1200 };
  expect(said('provider.price_set', price)).toBe(
    'Ada set the price of * from OpenAI: $0.0375 per million tokens of input, $1,200.00 of output.',
  );
  expect(said('provider.price_removed', { name: 'Ours', model: 'small' })).toBe(
    'Ada removed the price of small from Ours.',
  );
});
