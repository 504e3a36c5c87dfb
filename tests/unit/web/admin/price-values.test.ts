import { findPictureModel } from '@parley/schema/pictures/models';
import { describe, expect, it } from 'vitest';
import {
  pictureFields,
  pictureRange,
  readDollars,
  readPrice,
  typedPrices,
  tokenFields,
} from '../../../../web/src/admin/providers/prices/price-values.ts';

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
    expect(typedPrices(price, null, 'de-DE')).toMatchObject({
      input: '1234,5',
      cachedRead: '0',
      cachedWrite: '',
      output: '0,0375',
    });
    expect(readPrice(typedPrices(price, null, 'de-DE'), null)).toEqual(price);
    const empty = typedPrices(undefined, null, 'de-DE');
    expect(readPrice({ ...empty, input: '1' }, null)).toBeNull();
    expect(readPrice({ ...empty, input: '1', cachedRead: 'x', output: '2' }, null)).toBeNull();
  });

  it('comes back from its fields in Arabic digits', () => {
    const price = { input: 2.5, output: 10 };
    expect(readPrice(typedPrices(price, null, 'ar-EG'), null)).toEqual(price);
  });
});

describe('the price of a model that makes pictures', () => {
  const config = { pictures: ['gpt-image-1', 'flux-1', 'gemini-2.5-flash-image'] };
  const gpt = findPictureModel(config, 'gpt-image-1');
  const flux = findPictureModel(config, 'flux-1');
  const gemini = findPictureModel(config, 'gemini-2.5-flash-image');

  it('has a field for each quality and shape that the model takes, and those of tokens where it talks', () => {
    expect([tokenFields(gpt), pictureFields(gpt)]).toEqual([
      [],
      ['draftSquare', 'draftOther', 'fineSquare', 'fineOther'],
    ]);
    expect(pictureFields(flux)).toEqual(['draftSquare', 'draftOther']);
    expect(tokenFields(gemini)).toContain('input');
    expect(pictureFields(null)).toEqual([]);
  });

  it('comes back from its fields', () => {
    const price = { input: 0, output: 0, pictures: { draft: [0.01, 0.02], fine: [0.2, 0.3] } } as const;
    const typed = typedPrices(price, gpt, 'de-DE');
    expect(typed).toMatchObject({ draftSquare: '0,01', fineOther: '0,3' });
    expect(readPrice(typed, gpt)).toEqual(price);
    expect(readPrice({ ...typed, fineOther: '' }, gpt)).toBeNull();
    expect(readPrice({ ...typed, fineOther: '101' }, gpt)).toBeNull();
    expect(pictureRange(price.pictures, 'en-US')).toBe('0.01 – 0.3');
    expect(readPrice(typed, flux)?.pictures).toEqual({ draft: [0.01, 0.02], fine: [0.01, 0.02] });
  });

  it('is that of a million pictures where an earlier version saved it', () => {
    const typed = typedPrices({ input: 5000, output: 0 }, gpt, 'en-US');
    expect(typed).toMatchObject({ draftSquare: '0.005', fineOther: '0.005' });
  });
});
