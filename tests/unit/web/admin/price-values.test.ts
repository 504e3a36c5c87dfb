import { describe, expect, it } from 'vitest';
import { readDollars, readPrice, typedPrices } from '../../../../web/src/admin/providers/prices/price-values.ts';

describe('a typed price', () => {
  it.each([
    ['0', 0],
    [' 2.5 ', 2.5],
    ['2,5', 2.5],
    ['.075', 0.075],
    ['10000', 10_000],
    ['3.', 3],
  ])('%j is %d', (typed, dollars) => {
    expect(readDollars(typed)).toBe(dollars);
  });

  it.each(['', ' ', '-1', '+1', '1e3', 'NaN', 'Infinity', '0x10', '10000.01', '99999999', '1.000,5', '$3', '1 2'])(
    '%j is refused',
    (typed) => {
      expect(readDollars(typed)).toBeNull();
    },
  );

  it('comes back from its fields, and only prices of the cache may be empty', () => {
    const price = { input: 1234.5, cachedRead: 0, output: 0.0375 };
    expect(typedPrices(price, 'de-DE')).toEqual({
      input: '1234,5',
      cachedRead: '0',
      cachedWrite: '',
      output: '0,0375',
    });
    expect(readPrice(typedPrices(price, 'de-DE'))).toEqual(price);
    expect(readPrice({ input: '1', cachedRead: '', cachedWrite: '', output: '' })).toBeNull();
    expect(readPrice({ input: '1', cachedRead: 'x', cachedWrite: '', output: '2' })).toBeNull();
  });

  it('comes back from its fields in Arabic digits', () => {
    const price = { input: 2.5, output: 10 };
    expect(readPrice(typedPrices(price, 'ar-EG'))).toEqual(price);
  });
});
