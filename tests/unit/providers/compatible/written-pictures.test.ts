// Pictures that a server writes into the text of an answer as Markdown, however the text is cut into pieces.
import type { Delta } from '@parley/server/generation/delta';
import type { AnswerPicture } from '@parley/server/providers/provider';
import { createPictureReader } from '@parley/server/providers/compatible/answer-pictures';
import { createAnswerReader } from '@parley/server/providers/compatible/answer-text';
import { describe, expect, it } from 'vitest';
import { ask, DONE, ended, eventStream, said } from './stranger.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const IMAGE = `![A tree](data:image/png;base64,${PNG})`;

/** What a text is told as: its pieces, with a picture as `<png>`. */
function toldOf(pieces: readonly string[]): string[] {
  const reader = createAnswerReader({ hasThoughts: true, pictures: createPictureReader() });
  const told: string[] = [];
  let before: Delta['type'] | null = null;
  const add = (piece: Delta) => {
    if (piece.type === 'picture') expect(piece.picture.data).toBe(PNG);
    const shown = piece.type === 'picture' ? `<${piece.picture.mime.slice(6)}>` : 'text' in piece ? piece.text : '';
    const isMore = piece.type === before && piece.type !== 'picture';
    told.push(isMore ? (told.pop() ?? '') + shown : shown);
    before = piece.type;
  };
  for (const piece of [...pieces.flatMap((text) => reader.read({ type: 'text', text })), ...reader.flush()]) add(piece);
  return told;
}

/** The text in two pieces, cut at every place, and in pieces of one character. */
function waysToCut(text: string): string[][] {
  const places = Array.from({ length: text.length - 1 }, (_, at) => at + 1);
  return [[text], [...text], ...places.map((at) => [text.slice(0, at), text.slice(at)])];
}

describe('a picture in the text of an answer', () => {
  it.each<[title: string, text: string, told: string[]]>([
    ['between words', `Here: ${IMAGE} So.`, ['Here: ', '<png>', ' So.']],
    ['alone', IMAGE, ['<png>']],
    ['between empty lines', `\n\n${IMAGE}\n\n`, ['<png>']],
    ['beside another one', `${IMAGE}\n${IMAGE.replace('A tree', '')}\nSo.`, ['<png>', '\nSo.']],
    ['with a title', `See ${IMAGE.replace(')', ' "A tree")')}!`, ['See ', '<png>', '!']],
    ['after reasoning', `<think>Hm![</think>${IMAGE}Yes`, ['Hm![', '<png>', 'Yes']],
    ['after code', `\`\`\`\n!\n\`\`\`\n\`a\` ${IMAGE}`, ['```\n!\n```\n`a` ', '<png>']],
    [
      'with other marks around it',
      `Wow! ![no](x) [${IMAGE}](https://a.example)`,
      ['Wow! ![no](x) [', '<png>', '](https://a.example)'],
    ],
  ])('becomes a picture wherever it is cut: %s', (_, text, told) => {
    for (const pieces of waysToCut(text)) expect(toldOf(pieces), JSON.stringify(pieces)).toEqual(told);
  });

  it.each<[title: string, text: string]>([
    ['in a fence', `Write:\n\n\`\`\`md\n${IMAGE}\n\`\`\`\nSo.`],
    ['in a fence that does not end', `~~~\n${IMAGE}`],
    ['in a span of code', `Write \`${IMAGE}\` so.`],
    ['without its end', `So: ${IMAGE.slice(0, -1)}`],
    ['without its end, on the next line', `So: ${IMAGE.slice(0, -1)}\n)`],
    ['with a head that does not end', 'So: ![A tree](data:image/pn'],
    ['an example', 'So: ![A tree](data:image/png;base64,AAAA) or ![A tree](data:image/png;base64,…)'],
    ['a drawing that is no base64', 'So: ![A tree](data:image/svg+xml,%3Csvg/%3E)'],
    ['at an address', 'So: ![A tree](https://a.example/data:image/a.png)'],
    ['no picture', `So: ${IMAGE.replace('image/png', 'text/html')}`],
  ])('remains text wherever it is cut: %s', (_, text) => {
    for (const pieces of waysToCut(text)) expect(toldOf(pieces), JSON.stringify(pieces)).toEqual([text]);
  });

  it('is kept where a server sends it cut', async () => {
    const pictures: AnswerPicture[] = [];
    const texts = ['Here: ', ...(IMAGE.match(/.{1,7}/g) ?? []), ' So.'];
    const told = await ask(eventStream(...texts.map((text) => said(text)), ended()) + DONE, {
      keepPicture: async (picture) => {
        pictures.push(picture);
        return { type: 'made', part: { type: 'image', fileId: 'f', path: '/f', width: 1, height: 1 } };
      },
    });
    expect(pictures).toEqual([{ mime: 'image/png', data: PNG }]);
    expect(told.parts.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    expect(told).toMatchObject({ text: 'Here:  So.', finish: 'stop', reason: null });
  });

  it('is given out as text where the answer breaks off, and where it gets too long', async () => {
    const cut = IMAGE.slice(0, 90);
    const place = async () => expect.unreachable();
    expect(await ask(eventStream(said('So: '), said(cut)), { keepPicture: place })).toMatchObject({
      text: `So: ${cut}`,
      reason: { type: 'provider_broke_off' },
    });
    const long = IMAGE.slice(0, -3) + 'A'.repeat(33 * 1024 * 1024);
    const reader = createAnswerReader({ hasThoughts: false, pictures: createPictureReader() });
    expect(reader.read({ type: 'text', text: long })).toEqual([{ type: 'text', text: long }]);
  });

  it('remains text for a program, which has no place for pictures', async () => {
    expect(await ask(eventStream(said(IMAGE), ended()) + DONE)).toMatchObject({ text: IMAGE, reason: null });
  });
});
