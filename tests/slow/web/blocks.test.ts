import { expect, test } from 'vitest';
import { normaliseMath } from '../../../web/src/content/math/normalise-math.ts';

test('the reading of 200,000 characters of openers takes no more than seconds', () => {
  const began = performance.now();
  for (const opener of ['$a ', '$$ a\n', '\\[a ', '\\(a ', '` `` ']) normaliseMath(opener.repeat(40_000));
  expect(performance.now() - began).toBeLessThan(3_000);
});
