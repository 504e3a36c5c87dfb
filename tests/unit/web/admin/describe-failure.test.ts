// @vitest-environment happy-dom
import type { Reason } from '@parley/schema/reasons';
import { beforeAll, expect, test } from 'vitest';
import { describeToolTry } from '../../../../web/src/admin/tools/describe-tool.ts';
import { describeTry } from '../../../../web/src/admin/providers/describe-provider.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);

const unreachable: Reason = { type: 'provider_unavailable', status: null };
const malformed: Reason = { type: 'provider_malformed' };

test.each([unreachable, malformed])('a form without an address does not ask to check it: $type', (reason) => {
  const failed = { ok: false as const, step: 'models' as const, models: [], reason, words: null };
  const said = (hasAddress: boolean) => [
    describeTry(failed, 'OpenAI', hasAddress, 'en-US', i18n.t).sentence,
    describeToolTry({ ok: false, reason, words: null }, 'OpenAI', hasAddress, i18n.t).sentence,
  ];
  for (const sentence of said(true)) expect(sentence).toContain('Check the address');
  for (const sentence of said(false)) {
    expect(sentence).toMatch(/^OpenAI .*\./);
    expect(sentence).not.toContain('address');
  }
});
