// @vitest-environment happy-dom
import type { Prompt } from '@parley/schema/prompts/prompt-rules';
import type { Preset } from '@parley/schema/settings/presets';
import type { ToolInfo } from '@parley/schema/tools/tools';
import { beforeEach, expect, test } from 'vitest';
import { hasAgreed, noteAgreement, matchOffer } from '../../../../web/src/prompts/prompt-offer.ts';

const tool = (key: string, unavailable: string | null = null): ToolInfo => ({
  key,
  from: { source: 'builtin', id: key, label: key },
  description: '',
  unavailable,
});
const preset = { presetId: 'concise', title: 'Concise' } as Preset;
const prompt = (over: Partial<Prompt> = {}) =>
  ({ id: 'one', ownerId: 'alice', ownerName: null, presetId: 'concise', tools: ['calculator'], ...over }) as Prompt;

beforeEach(() => localStorage.clear());

test('a prompt offers what there is, in its order, and names what is missing', () => {
  const offered = [tool('weather', 'Needs a key'), tool('calculator'), tool('wikipedia')];
  const tools = ['wikipedia', 'weather', 'calculator', 'unknown'];
  const offer = matchOffer({ presetId: 'concise', tools }, [preset], offered);
  expect(offer.tools.map(({ key }) => key)).toEqual(['wikipedia', 'calculator']);
  expect(offer).toMatchObject({ preset, isPresetGone: false, gone: ['weather', 'unknown'] });
  expect(matchOffer(prompt(), [], [])).toEqual({ preset: null, tools: [], isPresetGone: true, gone: ['calculator'] });
  expect(matchOffer(prompt({ presetId: null, tools: [] }), [preset], offered)).toMatchObject({
    isPresetGone: false,
    gone: [],
  });
});

test('an agreement is remembered for this prompt with this preset and these tools', () => {
  expect(hasAgreed(prompt())).toBe(false);
  noteAgreement(prompt());
  noteAgreement(prompt({ id: 'two', tools: [] }));
  expect(hasAgreed(prompt())).toBe(true);
  expect(hasAgreed(prompt({ id: 'three' }))).toBe(false);
  expect(hasAgreed(prompt({ tools: ['calculator', 'browser'] }))).toBe(false);
  expect(hasAgreed(prompt({ presetId: null }))).toBe(false);
});

test('a prompt of another asks each time', () => {
  const foreign = prompt({ ownerName: 'Alice' });
  noteAgreement(foreign);
  noteAgreement(prompt());
  expect(hasAgreed(foreign)).toBe(false);
});
