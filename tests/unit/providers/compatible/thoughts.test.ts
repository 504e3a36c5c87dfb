import type { MessagePart } from '@parley/schema/messages/messages';
import { fold } from '@parley/schema/generation/fold';
import { createEventBuilder } from '@parley/server/generation/event-builder';
import { createThoughtReader } from '@parley/server/providers/compatible/thoughts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyReply } from '../../../contracts/generation-events.ts';
import { ask, DONE, ended, said, eventStream } from './stranger.ts';

/** The parts that a reply gets from these pieces of an answer, shortly: `['reasoning', 'Hm']`. */
function partsOf(pieces: readonly string[], before: MessagePart[] = []): string[][] {
  const reader = createThoughtReader();
  const events = createEventBuilder(before);
  let reply = emptyReply({ parts: before });
  const deltas = [...pieces.flatMap((piece) => reader.read(piece)), ...reader.flush()];
  for (const event of [...deltas.map(events.add), events.flush()]) if (event) reply = fold(reply, event);
  return reply.parts.map((part) => [part.type, 'text' in part ? part.text : '']);
}

const CASES: [title: string, answer: string, parts: string[][]][] = [
  [
    'think',
    '<think>\nEight heads, so.\n</think>\n\nThree rabbits.',
    [
      ['reasoning', 'Eight heads, so.'],
      ['text', 'Three rabbits.'],
    ],
  ],
  [
    'thinking',
    '\n<thinking>Hm</thinking> Yes',
    [
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'reasoning in capitals',
    '<REASONING>Hm</REASONING>\nYes',
    [
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'a space in the tag',
    '<think >Hm</think >Yes',
    [
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'another tag at the end',
    '<thinking>Hm</think>Yes',
    [
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'Mistral’s tags',
    '[THINK]Hm[/THINK]Yes',
    [
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'Moonshot’s tags',
    '◁think▷Hm◁/think▷Yes',
    [
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'Cohere’s tags',
    '<|START_THINKING|>Hm<|END_THINKING|><|START_RESPONSE|>Yes<|END_RESPONSE|>',
    [
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'Gemma’s channel',
    '<|channel>thought\nHm<channel|>Yes',
    [
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'harmony',
    '<|channel|>analysis<|message|>Hm <b<|end|><|start|>assistant<|channel|>final<|message|>Yes<|return|>',
    [
      ['reasoning', 'Hm <b'],
      ['text', 'Yes'],
    ],
  ],
  [
    'harmony with a call and a preamble',
    '<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.find <|constrain|>json<|message|>{"q":1}<|call|>',
    [
      ['reasoning', 'Hm'],
      ['text', 'I look.'],
      ['reasoning', '{"q":1}'],
    ],
  ],
  ['harmony’s final channel alone', '<|channel|>final<|message|>Yes', [['text', 'Yes']]],
  [
    'only a closing tag',
    'The user wants a greeting.\n</think>\n\nHello there.',
    [
      ['reasoning', 'The user wants a greeting.'],
      ['text', 'Hello there.'],
    ],
  ],
  [
    'only a closing tag in a line',
    'Say hello.</think>Hello.',
    [
      ['reasoning', 'Say hello.'],
      ['text', 'Hello.'],
    ],
  ],
  ['a closing tag without a thought', '</think>\n\nHello.', [['text', 'Hello.']]],
  ['an empty thought', '<think>\n\n</think>\n\nHello.', [['text', 'Hello.']]],
  [
    'a thought in the middle',
    'First.\n<think>Hm</think>\nThen.',
    [
      ['text', 'First.\n'],
      ['reasoning', 'Hm'],
      ['text', 'Then.'],
    ],
  ],
  [
    'a thought within a line',
    'Sure! <think>Hm</think> Yes',
    [
      ['text', 'Sure! '],
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'a thought within a thought',
    '<think>a <think>b</think> c</think> Yes',
    [
      ['reasoning', 'a <think>b'],
      ['reasoning', 'c'],
      ['text', 'Yes'],
    ],
  ],
  ['a thought that is cut', '<think>Half a thou', [['reasoning', 'Half a thou']]],
  ['a cut closing tag', '<think>Half</thi', [['reasoning', 'Half</thi']]],
  [
    'two thoughts',
    '<think>a</think>b<think>c</think>d',
    [
      ['reasoning', 'a'],
      ['text', 'b'],
      ['reasoning', 'c'],
      ['text', 'd'],
    ],
  ],
  [
    'a tag in the code of a thought',
    '<think>I write `</think>` there</think>Yes',
    [
      ['reasoning', 'I write `</think>` there'],
      ['text', 'Yes'],
    ],
  ],
  [
    'a backtick in a thought',
    '<think>It`s so</think>Yes',
    [
      ['reasoning', 'It`s so'],
      ['text', 'Yes'],
    ],
  ],
  ['tags in backticks', 'Use `<think>` and ``</think>`` then.', [['text', 'Use `<think>` and ``</think>`` then.']]],
  [
    'tags in a fence',
    'So:\n\n```xml\n<think>\nx\n</think>\n```\n\nDone.',
    [['text', 'So:\n\n```xml\n<think>\nx\n</think>\n```\n\nDone.']],
  ],
  ['tags in tildes', '~~~\n<think>x</think>\n~~~', [['text', '~~~\n<think>x</think>\n~~~']]],
  ['a fence in a list', '1. ```\n   </think>\n   ```\nDone.', [['text', '1. ```\n   </think>\n   ```\nDone.']]],
  [
    'tags after a fence',
    '```\na\n```\n<think>Hm</think>Yes',
    [
      ['text', '```\na\n```\n'],
      ['reasoning', 'Hm'],
      ['text', 'Yes'],
    ],
  ],
  [
    'tags that are spoken of',
    'The <think> tag and the </think> tag.',
    [['text', 'The <think> tag and the </think> tag.']],
  ],
  ['tags in quotation marks', 'Say "<think>", then "</think>".', [['text', 'Say "<think>", then "</think>".']]],
  ['a tag in a line that never closes', 'It is: <think> No end', [['text', 'It is: <think> No end']]],
  [
    'harmony’s tokens as words',
    'It ends with <|end|> or <|channel|> here.',
    [['text', 'It ends with <|end|> or <|channel|> here.']],
  ],
  [
    'other elements',
    '<b>a</b> < 3 <thin> <thinker> [THIN] [think](x)',
    [['text', '<b>a</b> < 3 <thin> <thinker> [THIN] [think](x)']],
  ],
  ['white space around text', '\n  a  \n', [['text', '\n  a  \n']]],
];

describe('a text with reasoning in it', () => {
  it.each(CASES)('a thought is told apart: %s', (_, answer, parts) => {
    expect(partsOf([answer])).toEqual(parts);
    expect(partsOf([...answer])).toEqual(parts);
  });

  it('an answer has the same parts however it is cut', () => {
    const whole = CASES.map(([, answer]) => answer);
    const piece = fc.constantFrom(
      '<think>',
      '</think>',
      '<thinking>',
      '`',
      '``',
      '```',
      '\n',
      '\n\n',
      ' ',
      'a',
      'B.',
      '"',
      '<',
      '</',
      '|',
      '<|end|>',
      '<|channel|>analysis<|message|>',
      '<|channel|>final<|message|>',
      '<|start|>assistant',
      '[THINK]',
      '[/THINK]',
      '◁',
      'é',
    );
    const answers = fc.oneof(
      fc.constantFrom(...whole),
      fc.array(piece, { maxLength: 30 }).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(answers, fc.array(fc.nat(400), { maxLength: 20 }), (answer, places) => {
        const cuts = [...new Set([0, ...places.filter((place) => place < answer.length), answer.length])];
        cuts.sort((a, b) => a - b);
        const pieces = cuts.slice(1).map((cut, index) => answer.slice(cuts[index], cut));
        expect(partsOf(pieces)).toEqual(partsOf([answer]));
      }),
      { numRuns: 3000 },
    );
  });

  it('streams without delay beyond what may be a tag', () => {
    const reader = createThoughtReader();
    const heard = (text: string) =>
      reader
        .read(text)
        .map((delta) => delta.text)
        .join('');
    expect(heard('<')).toBe('');
    expect(heard('d')).toBe('<d');
    expect(heard('iv>a < b <th')).toBe('iv>a < b ');
    expect(heard('e>')).toBe('<the>');
    expect(heard('\n<think>so')).toBe('\nso');
  });

  it('keeps what an answer said before it was continued', () => {
    expect(partsOf(['More.</think>Yes'], [{ type: 'text', text: 'Before. ' }])).toEqual([
      ['text', 'Before. '],
      ['reasoning', 'More.'],
      ['text', 'Yes'],
    ]);
  });
});

it('a custom endpoint’s answer has its reasoning as a part, also where it breaks off', async () => {
  const chunks = [said('<thi'), said('nk>secret</thi'), said('nk>Answer: 5')];
  expect(await ask(eventStream(...chunks, ended()) + DONE)).toMatchObject({
    reasoning: 'secret',
    text: 'Answer: 5',
    reason: null,
  });
  expect(await ask(eventStream(said('The user asks.\n</think>\n\nHello.'), ended()) + DONE)).toMatchObject({
    parts: [
      { type: 'reasoning', text: 'The user asks.' },
      { type: 'text', text: 'Hello.' },
    ],
  });
  expect(await ask(eventStream(said('Five <thi')))).toMatchObject({
    text: 'Five <thi',
    reason: { type: 'provider_broke_off' },
  });
});

it('a tag beside a field of reasoning is no end of the answer', async () => {
  const chunks = [{ choices: [{ index: 0, delta: { reasoning: 'Hm' } }] }, said('\n</think>\n\nHello.'), ended()];
  expect(await ask(eventStream(...chunks) + DONE)).toMatchObject({ reasoning: 'Hm', text: 'Hello.' });
});
