// @vitest-environment happy-dom
// What a failure of a provider is called where the site's own key is used.
import type { Reason } from '@parley/schema/reasons';
import { beforeAll, expect, test } from 'vitest';
import { describeReason } from '../../../../web/src/errors/describe-reason.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);

const cases: [Reason, string][] = [
  [
    { type: 'invalid_api_key', endpoint: 'openAI' },
    'OpenAI did not accept the API key of this site. Only the operator of this site can fix that. Until then, choose another model.',
  ],
  [
    { type: 'provider_unavailable', status: 502 },
    'OpenAI is not available at the moment (status 502). Please try again.',
  ],
  [{ type: 'empty_answer' }, 'The provider sent an empty answer. Please try again.'],
];

test.each(cases)('%o', (reason, sentence) => {
  expect(describeReason(reason, i18n.t, { endpoint: 'openAI' })).toBe(sentence);
});
