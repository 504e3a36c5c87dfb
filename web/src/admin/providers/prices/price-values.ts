// The fields of a price: as they are typed, and as they are saved.
import { PICTURE_PRICE_MAX, PRICE_MAX, type PicturePrices, type Price } from '@parley/schema/catalog/prices';
import type { PictureModel } from '@parley/schema/pictures/models';
import { formatTyped, withAsciiSigns } from '../../../lib/format-number.ts';

export const TOKEN_FIELDS = ['input', 'cachedRead', 'cachedWrite', 'output'] as const;
const PICTURE_FIELDS = ['draftSquare', 'draftOther', 'fineSquare', 'fineOther'] as const;
/** Of a model that is not told how fine a picture is to be. */
const SIZE_FIELDS = ['draftSquare', 'draftOther'] as const;
type TokenField = (typeof TOKEN_FIELDS)[number];
type PictureField = (typeof PICTURE_FIELDS)[number];
export type PriceField = TokenField | PictureField;
export type TypedPrice = Record<PriceField, string>;

/** A price without them is one for a million pictures. */
const PICTURES_PER_INPUT = 1_000_000;

/** What the price of a model says; null for one that makes no pictures, or that nobody knows. */
export function pictureFields(can: PictureModel | null): readonly PictureField[] {
  if (!can) return [];
  return can.qualities ? PICTURE_FIELDS : SIZE_FIELDS;
}

export function tokenFields(can: PictureModel | null): readonly TokenField[] {
  return can && !can.chats ? [] : TOKEN_FIELDS;
}

/** Empty where there is none. */
export function typedPrice(dollars: number | undefined, language: string): string {
  return dollars === undefined ? '' : formatTyped(dollars, language);
}

/** Of a picture, by quality and shape; undefined where the price says nothing of them. */
export function picturePrices(price: Price | undefined, can: PictureModel | null): PicturePrices | undefined {
  if (!price || price.pictures || !can) return price?.pictures;
  const each = price.input / PICTURES_PER_INPUT;
  return { draft: [each, each], fine: [each, each] };
}

export function typedPrices(price: Price | undefined, can: PictureModel | null, language: string): TypedPrice {
  const typed = (dollars: number | undefined) => typedPrice(dollars, language);
  const { draft = [], fine = [] } = picturePrices(price, can) ?? {};
  return {
    input: typed(price?.input),
    cachedRead: typed(price?.cachedRead),
    cachedWrite: typed(price?.cachedWrite),
    output: typed(price?.output),
    draftSquare: typed(draft[0]),
    draftOther: typed(draft[1]),
    fineSquare: typed(fine[0]),
    fineOther: typed(fine[1]),
  };
}

/** From the lowest to the highest. */
export function pictureRange(prices: PicturePrices | undefined, language: string): string {
  if (!prices) return '–';
  const all = [...prices.draft, ...prices.fine];
  const range = [...new Set([Math.min(...all), Math.max(...all)])];
  return range.map((dollars) => typedPrice(dollars, language)).join(' – ');
}

/** Null for what is no price. */
export function readDollars(typed: string, max = PRICE_MAX): number | null {
  const text = withAsciiSigns(typed.trim()).replace(',', '.');
  if (!/^(?:\d{1,6}(?:\.\d{0,9})?|\.\d{1,9})$/.test(text)) return null;
  return Number(text) <= max ? Number(text) : null;
}

export function priceMax(name: PriceField): number {
  return isOfPictures(name) ? PICTURE_PRICE_MAX : PRICE_MAX;
}

/** Prices of the cache may be left empty. */
export function isWrong(name: PriceField, typed: string): boolean {
  const mayBeEmpty = name === 'cachedRead' || name === 'cachedWrite';
  return mayBeEmpty && typed.trim() === '' ? false : readDollars(typed, priceMax(name)) === null;
}

/** Null while a field is wrong. What a model does not do costs nothing. */
export function readPrice(typed: TypedPrice, can: PictureModel | null): Price | null {
  const tokens = tokenFields(can);
  const pictures = pictureFields(can);
  if ([...tokens, ...pictures].some((name) => isWrong(name, typed[name]))) return null;
  const [input, cachedRead, cachedWrite, output] = tokens.map((name) => readDollars(typed[name]));
  return {
    input: input ?? 0,
    ...(cachedRead != null && { cachedRead }),
    ...(cachedWrite != null && { cachedWrite }),
    output: output ?? 0,
    ...(pictures.length > 0 && { pictures: readPictures(typed, pictures) }),
  };
}

function readPictures(typed: TypedPrice, fields: readonly PictureField[]): PicturePrices {
  const [draftSquare = 0, draftOther = 0, fineSquare, fineOther] = fields.map((name) => readDollars(typed[name]) ?? 0);
  return { draft: [draftSquare, draftOther], fine: [fineSquare ?? draftSquare, fineOther ?? draftOther] };
}

function isOfPictures(name: PriceField): name is PictureField {
  return PICTURE_FIELDS.some((one) => one === name);
}
