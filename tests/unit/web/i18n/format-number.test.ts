import { expect, test } from 'vitest';
import { formatThousands } from '../../../../web/src/lib/format-number.ts';

test.each([
  ['en-US', ['8K', '128K', '1M']],
  ['de-DE', ['8.000', '128.000', '1\u00A0Mio.']],
  ['ja-JP', ['8,000', '12.8万', '100万']],
])('large numbers are rounded in %s, also where it has no sign for a thousand', (language, shown) => {
  expect([8187, 127_990, 1_047_576].map((count) => formatThousands(count, language))).toEqual(shown);
});
