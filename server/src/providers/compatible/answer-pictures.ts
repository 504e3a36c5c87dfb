// Pictures in an answer, in the shapes in which servers send them.
import { isObject } from '@parley/schema/json';
import type { Delta } from '../../generation/delta.ts';
import type { ProviderCall } from '../provider.ts';

/** A picture that is not kept yet. */
type FoundPicture = Extract<Delta, { type: 'picture' }>;

export interface PictureReader {
  /** Those in a part of an answer, or in a list of them; each once. An address becomes a link. */
  read(found: unknown): Generator<Delta>;
}

/** How a picture is told once it is kept; null where pictures have no place. */
export async function keepPicture(
  call: Pick<ProviderCall, 'keepPicture'>,
  { picture }: FoundPicture,
): Promise<Delta | null> {
  return (await call.keepPicture?.(picture)) ?? null;
}

const DATA_URL = /^data:(image\/[a-z\d.+-]+)?(?:;[a-z\d=.+-]+)*;base64,/i;
const BASE64 = /^[A-Za-z\d+/_-]{64,}={0,2}$/;

/** Where a picture may be in an object, and its type. */
const PLACES = ['image_url', 'image', 'url', 'b64_json', 'inlineData', 'inline_data', 'source', 'data', 'result'];
const TYPES = ['mimeType', 'mime_type', 'media_type'];
const DEPTH_MAX = 3;

export function createPictureReader(): PictureReader {
  const known = new Set<string>();
  return {
    *read(found) {
      for (const one of [found].flat()) {
        const { text, mime } = placeOf(one);
        if (text === '') continue;
        // Long enough to tell two pictures apart.
        const mark = `${text.length} ${text.slice(0, 200)} ${text.slice(-200)}`;
        if (known.has(mark)) continue;
        known.add(mark);
        if (/^https?:\/\/\S+$/i.test(text)) {
          yield { type: 'text', text: `\n\n![Picture](${text.replaceAll('(', '%28').replaceAll(')', '%29')})\n\n` };
          continue;
        }
        const [start = '', named] = DATA_URL.exec(text) ?? [];
        const data = text.slice(start.length).replaceAll(/\s/g, '');
        if (BASE64.test(data)) yield { type: 'picture', picture: { mime: named ?? mime ?? 'image/png', data } };
      }
    },
  };
}

/** The first text that may be a picture: an address, or base64. */
function placeOf(value: unknown, depth = 0): { text: string; mime?: string | undefined } {
  if (typeof value === 'string') return { text: value.trim() };
  if (!isObject(value) || depth > DEPTH_MAX) return { text: '' };
  const mime = TYPES.map((name) => value[name]).find((one) => typeof one === 'string');
  if (mime !== undefined && !/^image\//i.test(mime)) return { text: '' };
  for (const name of PLACES) {
    const found = placeOf(value[name], depth + 1);
    if (found.text !== '') return { mime, ...found };
  }
  return { text: '' };
}
