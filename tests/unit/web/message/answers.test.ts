// @vitest-environment happy-dom
// What the thread offers with an answer, apart from the page.
import { expect, test } from 'vitest';
import { asQuote, withQuote } from '../../../../web/src/chat/quote/quoted.ts';
import { answerCost, answerFacts } from '../../../../web/src/chat/answer-facts/answer-facts.ts';
import { codeFileName } from '../../../../web/src/content/code/code-file.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { message } from '../chat/people.ts';

test('a quote has its mark on every line and leaves room below', () => {
  expect(asQuote('One\n\nTwo \r\nThree\n')).toBe('> One\n>\n> Two\n> Three');
  expect(withQuote('', 'One')).toBe('> One\n\n');
  expect(withQuote('Typed ', 'One')).toBe('Typed\n\n> One\n\n');
});

test('code is saved under a name of its language', () => {
  expect(['python', 'TypeScript', 'html', 'c++', 'dockerfile', '', '../../etc'].map(codeFileName)).toEqual([
    'code.py',
    'code.ts',
    'code.html',
    'code.cpp',
    'Dockerfile',
    'code.txt',
    'code.txt',
  ]);
});

test('the line of an answer tells what is known of it', async () => {
  await startEnglish();
  const answer = message('a', 1, { usage: { input: 1000, output: 200, tookMs: 12_300 } });
  expect(answerFacts(answer, i18n.t, 'en-US')).toEqual(['12 sec', '1,200 tokens', '$0.04']);
  const local = { ...answer, endpointType: 'chatGPTBrowser' as const, usage: { input: 0, output: 5, estimated: true } };
  expect(answerFacts(local, i18n.t, 'en-US')).toEqual(['about 5 tokens']);
  expect(answerCost(local)).toBeNull();
  expect(answerFacts(message('b', 2), i18n.t, 'en-US')).toEqual([]);
  // Where the tokens or their price are an estimate, the word says so.
  const guessed = { ...answer, usage: { input: 1000, output: 200, estimated: true } };
  expect(answerFacts(guessed, i18n.t, 'en-US')).toEqual(['about 1,200 tokens', '$0.04 estimated']);
  const unheard = { ...answer, endpointType: 'google' as const, model: 'gemini-unheard' };
  expect(answerFacts(unheard, i18n.t, 'en-US')).toEqual(['12 sec', '1,200 tokens', '$0.0072 estimated']);
  const priced = { ...unheard, usage: { input: 1000, output: 200, rates: { prompt: 1, completion: 10 } } };
  expect(answerFacts(priced, i18n.t, 'en-US')).toEqual(['1,200 tokens', '$0.003']);
  // The demo's prepared texts cost nothing.
  const demo = { ...answer, endpoint: 'Demo', endpointType: 'custom' as const, model: 'parley-demo' };
  expect(answerFacts(demo, i18n.t, 'en-US')).toEqual(['12 sec', '1,200 tokens']);
  expect(answerCost(demo)).toBeNull();
  // What failed without a word is not charged.
  const refused = { ...answer, parts: [], reason: { type: 'provider_broke_off' as const } };
  const usage = { input: 0, output: 0, estimated: true, tookMs: 300 };
  expect(answerFacts({ ...refused, usage }, i18n.t, 'en-US')).toEqual(['0.3 sec']);
});
