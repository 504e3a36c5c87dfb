/** Scenarios that answer, each in its own way. */
import { emojiText, hostileText, longText, markdownTorture, richTokens, scriptsText, tokenAt } from './texts.ts';
import {
  framed,
  numberFrom,
  textPieces,
  textSteps,
  scriptedStream,
  type Pace,
  type Scenario,
  type StreamScript,
  type Step,
  type ToolCall,
} from './scenario.ts';

/** Reads the passages in a question as a model would, and answers with the sentence that fits it, and its number. */

const PASSAGE = /^\[(\d+)\] <file name="([^"\n]*)"[^>\n]*>\n([^]*?)\n<\/file>$/gm;

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const replyScenarios = {
  plain: {
    about: 'a short friendly answer that quotes the question',
    script: ({ question }) => scriptedStream(textSteps(plainText(question))),
  },
  echo: {
    about: 'exactly the last user text',
    script: ({ question }) => scriptedStream(textSteps(question), { pace: { every: 2, count: 1 } }),
  },
  cite: {
    about: 'the sentence of the told passages that fits the question, with the number of its passage',
    script: ({ question }) => scriptedStream(textSteps(citedReply(question))),
  },
  long: {
    about: '200,000 characters, or `long:<characters>`',
    script: ({ arg }) =>
      scriptedStream(pieces(longText(numberFrom(arg, 200_000)), 40), { pace: { every: 1, count: 4 } }),
  },
  tokens: {
    about: '`tokens:<count>@<ms>`: so many tokens, one every so many milliseconds; 200@10 by default',
    script: ({ arg }) => {
      const [count, every] = (arg ?? '').split('@');
      return paced(numberFrom(count, 200), { every: numberFrom(every, 10), count: 1 });
    },
  },
  natural: {
    about: '`natural:<count>@<ms>`: the same of a rich vocabulary, another text for each question',
    script: ({ arg, question }) => {
      const [count, every] = (arg ?? '').split('@');
      return paced(numberFrom(count, 200), { every: numberFrom(every, 10), count: 1 }, richTokens(question));
    },
  },
  slow: {
    about: 'one token every 300 ms, or `slow:<ms>`',
    script: ({ question, arg }) =>
      scriptedStream(textSteps(plainText(question)), { pace: { every: numberFrom(arg, 300), count: 1 } }),
  },
  fast: {
    about: '2,000 tokens a second, 2,000 tokens or `fast:<count>`',
    script: ({ arg }) => paced(numberFrom(arg, 2_000), { every: 1, count: 2 }),
  },
  'never-ending': {
    about: 'a token every 20 ms for ever, or `never-ending:<ms>`',
    script: ({ arg }) => paced(Infinity, { every: numberFrom(arg, 20), count: 1 }),
  },
  late: {
    about: 'the first byte after 1,500 ms, or `late:<ms>`',
    script: ({ question, arg }) => scriptedStream(textSteps(plainText(question)), { delay: numberFrom(arg, 1_500) }),
  },
  markdown: {
    about: 'markdown torture: every construct, unsafe links and HTML, a fence that is never closed',
    script: () => scriptedStream(textSteps(markdownTorture), { pace: { every: 2, count: 1 } }),
  },
  emoji: {
    about: 'four-byte and joined characters, every one cut between its bytes',
    script: () =>
      scriptedStream(textSteps(emojiText), { pace: { every: 1, count: 1 }, framing: framed({ slices: 'characters' }) }),
  },
  surrogates: {
    about: 'surrogate pairs split over two deltas as \\ud83d and \\ude00',
    script: () => scriptedStream(splitSurrogates(`Split ${emojiText}`)),
  },
  unicode: {
    about: 'many scripts, then NUL and lone surrogates',
    script: () => scriptedStream([...textSteps(`${scriptsText}\n\n`), { type: 'text', text: hostileText }]),
  },
  reasoning: {
    about: 'thoughts first, then the answer',
    script: ({ question }) => scriptedStream([...reasoningStep(), ...textSteps(plainText(question))]),
  },
  thinking: {
    about: 'thoughts for ever, one every 20 ms, or `thinking:<ms>`',
    script: ({ arg }) => scriptedStream(endlessReasoning(), { pace: { every: numberFrom(arg, 20), count: 1 } }),
  },
  tool: {
    about: 'two tool calls whose arguments come in pieces',
    script: () => scriptedStream([...textSteps('Let me look. '), ...toolCalls()], { finish: 'tool_calls' }),
  },
  usage: { about: 'usage in the last chunk, asked for or not', script: withUsage('always') },
  'no-usage': { about: 'no usage, even when asked', script: withUsage('never') },
  'usage-odd': { about: 'usage with zero and null for numbers', script: withUsage('odd') },
  'usage-told': {
    about: '`usage-told:<prompt>,<completion>[,<cached>[,<reasoning>]]`: these numbers as its usage, whatever they are',
    script: ({ question, arg }) => {
      const [prompt = NaN, completion = NaN, cached, reasoning] = (arg ?? '').split(',').map(Number);
      return scriptedStream(textSteps(plainText(question)), {
        usage: {
          prompt,
          completion,
          ...(cached !== undefined && { cached }),
          ...(reasoning !== undefined && { reasoning }),
        },
      });
    },
  },
  picture: {
    about: 'a text, a picture and a text',
    script: () =>
      scriptedStream([...textSteps('Here it is. '), { type: 'picture', data: PIXEL }, ...textSteps('Look!')]),
  },
  empty: { about: 'a good end and no content', script: () => scriptedStream([]) },
  refusal: {
    about: 'the content filter stops the answer',
    script: () => scriptedStream(textSteps('I will not go on with this.'), { finish: 'content_filter' }),
  },
  length: {
    about: 'the answer ends at the token limit',
    script: () => scriptedStream(textSteps('This answer was going to be much longer, but'), { finish: 'length' }),
  },
  'slow-title': { about: 'answers as plain; its title takes 3,000 ms or `slow-title:<ms>`', script: asPlain },
  'bad-title': { about: 'answers as plain; its title is 10 kB of HTML', script: asPlain },
  'fail-title': { about: 'answers as plain; its title fails with 500', script: asPlain },
} satisfies Record<string, Scenario>;

/** The answer of `plain`. */
export function plainText(question: string): string {
  const quoted = [...question].slice(0, 300).join('').replaceAll('\n', '\n> ');
  return `Hello! You asked:\n\n> ${quoted}\n\nHere is a **plain** answer with a list:\n\n- one\n- two\n- three\n\nThat is all.`;
}

function asPlain({ question }: { question: string }): StreamScript {
  return scriptedStream(textSteps(plainText(question)));
}

function withUsage(usage: StreamScript['usage']): Scenario['script'] {
  return ({ question }) => scriptedStream(textSteps(plainText(question)), { usage });
}

function paced(count: number, pace: Pace, token = tokenAt): StreamScript {
  return scriptedStream(tokens(count, token), { pace });
}

function* tokens(count: number, token: (n: number) => string): Iterable<Step> {
  for (let n = 0; n < count; n++) yield { type: 'text', text: token(n) };
}

function pieces(text: string, size: number): Step[] {
  const count = Math.ceil(text.length / size);
  return Array.from({ length: count }, (_, n) => ({ type: 'text', text: text.slice(n * size, (n + 1) * size) }));
}

function splitSurrogates(text: string): Step[] {
  return textPieces(text)
    .flatMap((piece) => (/[\ud800-\udbff]/.test(piece) ? piece.split('') : [piece]))
    .map((half) => ({ type: 'text', text: half }));
}

function reasoningStep(): Step[] {
  const text = 'The user asks something. I should think about it first, then answer **briefly**.';
  return textPieces(text).map((piece) => ({ type: 'reasoning', text: piece }));
}

function* endlessReasoning(): Iterable<Step> {
  for (let n = 0; ; n++) yield { type: 'reasoning', text: tokenAt(n) };
}

function toolCalls(): Step[] {
  const calls: ToolCall[] = [
    { index: 0, id: 'call_weather_1', name: 'get_weather', pieces: ['{"city"', ':"Ber', 'lin"}'] },
    { index: 1, id: 'call_time_2', name: 'get_time', pieces: ['{"zone":', '"Europe/Berlin"}'] },
  ];
  return calls.map((call) => ({ type: 'tool', call }));
}

/** `question` is all that the model was sent as the newest question: passages, then what was asked. */
function citedReply(question: string): string {
  const passages = [...question.matchAll(PASSAGE)].map(([, number = '', , body = '']) => ({ number, body }));
  const asked = wordsOf(
    question
      .slice(question.lastIndexOf('</file>') + 1)
      .split('\n')
      .at(-1) ?? '',
  );
  const sentences = passages.flatMap(({ number, body }) =>
    body.split(/(?<=[.!?])\s+|\n+/).map((text) => ({ number, text, shared: shared(wordsOf(text), asked) })),
  );
  const [best] = sentences.toSorted((a, b) => b.shared - a.shared);
  return best === undefined || best.shared === 0 ? 'The files do not say.' : `${best.text.trim()} [${best.number}]`;
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 3));
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((word) => b.has(word)).length;
}
