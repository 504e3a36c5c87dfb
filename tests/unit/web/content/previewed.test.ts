import { expect, test } from 'vitest';
import { previewOf } from '../../../../web/src/content/preview/previewed.ts';

test.each([
  ['html', '<p>', 'page'],
  ['HTML', '<p>', 'page'],
  ['svg', '<svg/>', 'picture'],
  ['xml', '<?xml version="1.0"?>\n<svg width="1"/>', 'picture'],
  ['xml', '<feed/>', null],
  ['js', '<p>', null],
  ['', '<p>', null],
  ['html', 'x'.repeat(400_001), null],
] as const)('%s is shown as it can be', (language, code, kind) => {
  expect(previewOf(language, code)).toBe(kind);
});
