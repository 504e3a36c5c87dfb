/** Scenarios with a complete answer in an unusual stream. A robust client gets the same text from most of them. */
import { framed, numberFrom, textSteps, scriptedStream } from './scenario.ts';
import type { Framing, Scenario, Step, SentStep } from './scenario.ts';
import { plainText } from './reply-scenarios.ts';
import { longText } from './texts.ts';

const junk: SentStep = { type: 'raw', bytes: 'data: {"choices":[{"index":0,"delta":{"content":"JUNK"}}]}\n\njunk\n\n' };

export const edgeCases = {
  malformed: {
    about: 'an event that is not JSON in the middle',
    script: ({ question }) => scriptedStream(interrupted(plainText(question), { type: 'broken' })),
  },
  'null-content': {
    about: 'null content, empty choices, a second choice that is not ours, unknown fields',
    script: ({ question }) => scriptedStream(interrupted(plainText(question), { type: 'odd' })),
  },
  crlf: { about: 'lines end in CR LF', script: inFrames({ lineEnd: '\r\n' }) },
  'cr-only': { about: 'lines end in CR alone, which the format allows', script: inFrames({ lineEnd: '\r' }) },
  comments: { about: 'byte order mark, heartbeats, ids, data over several lines', script: inFrames({ dressed: true }) },
  bytes: { about: 'every byte is written by itself', script: inFrames({ slices: 'bytes' }) },
  'no-done': {
    about: 'a finish reason, but no end mark',
    script: ({ question }) => scriptedStream(textSteps(plainText(question)), { done: false }),
  },
  truncated: {
    about: 'a clean end of the response without finish reason or end mark',
    script: ({ question }) => scriptedStream(textSteps(plainText(question)), { finish: null, done: false }),
  },
  'junk-after-done': {
    about: 'more deltas and garbage after the end mark',
    script: ({ question }) => scriptedStream(textSteps(plainText(question)), { after: [junk] }),
  },
  'big-line': {
    about: 'one delta of 1,000 kB, or `big-line:<kB>`',
    script: ({ arg }) => scriptedStream([{ type: 'text', text: longText(numberFrom(arg, 1_000) * 1_000) }]),
  },
  'duplicate-final': {
    about: 'the last chunk carries the whole text again',
    script: ({ question }) => scriptedStream(textSteps(plainText(question)), { repeatsText: true }),
  },
} satisfies Record<string, Scenario>;

function inFrames(framing: Partial<Framing>): Scenario['script'] {
  return ({ question }) => scriptedStream(textSteps(plainText(question)), { framing: framed(framing) });
}

function interrupted(text: string, by: SentStep): Step[] {
  const steps = textSteps(text);
  const middle = Math.ceil(steps.length / 2);
  return [...steps.slice(0, middle), by, ...steps.slice(middle)];
}
