// @vitest-environment happy-dom
// What a failure of a provider is called where the site's own key is used.
import { readFileSync } from 'node:fs';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { Reason } from '@parley/schema/reasons';
import { beforeAll, expect, test } from 'vitest';
import { describeReason, quoteIn } from '../../../../web/src/errors/describe-reason.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);

const cases: [Reason, string][] = [
  [
    { type: 'invalid_api_key', endpoint: 'openAI' },
    "OpenAI did not accept this site's API key. The administrator has to set another one; until then, choose another model.",
  ],
  [{ type: 'provider_unavailable', status: 502 }, 'OpenAI is not available at the moment. Please try again.'],
  [
    { type: 'provider_refused', status: 400, text: '{"error":{"message":"max_tokens is too large"}}' },
    "Something went wrong. Here's the specific error message we encountered: max_tokens is too large",
  ],
  [{ type: 'provider_refused', status: 400, text: '' }, 'OpenAI did not accept this question.'],
  [{ type: 'unknown', text: 'boom' }, "Something went wrong. Here's the specific error message we encountered: boom"],
  [{ type: 'unknown', text: '' }, 'Something went wrong. Please try again.'],
  [{ type: 'not_found', what: 'endpoint' }, 'Unknown endpoint: OpenAI. This provider is not available here.'],
  [
    { type: 'unexpected_answer', status: 200, statusText: 'OK' },
    "Unexpected response from server; Status: 200 OK. The answer did not come from this site's server. Check your connection and try again.",
  ],
  [{ type: 'empty_answer' }, 'The provider sent an empty answer. Please try again.'],
];

test.each(cases)('%o', (reason, sentence) => {
  expect(describeReason(reason, i18n.t, { endpoint: 'openAI' })).toBe(sentence);
});

test('no failure of a provider has a status in its sentence', () => {
  const statuses: Reason[] = [
    { type: 'provider_unavailable', status: 502 },
    { type: 'provider_refused', status: 422, text: '' },
  ];
  for (const reason of statuses) expect(describeReason(reason, i18n.t)).not.toMatch(/\d|status/i);
});

test('an answer that is not from this server is named by its status, and what to do follows', () => {
  const said = (status: number, statusText = '') =>
    describeReason({ type: 'unexpected_answer', status, statusText }, i18n.t);
  expect(said(413, 'Content Too Large')).toMatch(/; Status: 413 Content Too Large\. What you sent is larger/);
  expect(said(502)).toBe(
    "Unexpected response from server; Status: 502. The server can't be reached right now. Please try again.",
  );
});

test("the provider's words can stand apart from the sentence", () => {
  const reason = { type: 'provider_refused', status: 400, text: '{"error":"no such size"}' } as const;
  expect(describeReason(reason, i18n.t, { endpoint: 'google', quotesApart: true })).toBe(
    'Google did not accept this question.',
  );
  expect(quoteIn(reason)).toBe('no such size');
  expect(quoteIn({ type: 'empty_answer' })).toBe('');
});

test('operators read which setting to change, other people that the administrator can', () => {
  const reasons: Reason[] = [
    { type: 'invalid_api_key', endpoint: 'google' },
    { type: 'insufficient_quota', endpoint: 'Mistral' },
    { type: 'token_balance', balance: 5, promptTokens: 2, tokenCost: 9 },
  ];
  const [key, quota, balance] = reasons.map((reason) => describeReason(reason, i18n.t, { isOperator: true }));
  expect(key).toContain('GOOGLE_KEY');
  expect(quota).toContain('parley.yaml');
  expect(balance).toContain('“Administration”, “People”');
  for (const reason of reasons) expect(describeReason(reason, i18n.t)).toContain('administrator');
});

test('the setting of each endpoint is one that the operator can set', () => {
  const known = readFileSync('.env.example', 'utf8');
  for (const [type, { keySetting }] of Object.entries(endpointTable))
    if (type !== 'custom') expect(known, type).toMatch(new RegExp(`^# ${keySetting}=`, 'm'));
});
