// A very long answer that streams as far as the test allows, so that the test can inspect any point of it.
import { scriptedStream } from '@parley/scripts/fake-provider/scenario';
import type { App } from './app.ts';

export interface GrowingAnswer {
  /** A question with this text gets the answer. */
  cue: string;
  /** Streams on, in chunks of `size` characters, up to `length` characters. */
  sayTo(length: number, size: number): void;
  /** The last heading within the text streamed by now. */
  heading(): string;
  /** Ends the answer at the current limit. */
  end(): void;
}

/**
 * Makes the app's provider answer any question with the cue with the same text of `length` characters, 200 chunks a
 * second.
 */
export function startGrowingAnswer(app: App, length: number): GrowingAnswer {
  const text = textOf(length);
  let goal = 0;
  let size = 1;
  let hasEnded = false;

  function* pieces() {
    for (let at = 0; at < goal || !hasEnded;) {
      const piece = text.slice(at, Math.min(at + size, goal));
      at += piece.length;
      yield piece === '' ? ({ type: 'wait', ms: 10 } as const) : ({ type: 'text', text: piece } as const);
    }
  }

  const script = () => scriptedStream(pieces(), { pace: { every: 5, count: 1 } });
  app.provider.script('recital', { about: 'says as much of a long text as the test lets it', script });
  return {
    cue: '[[recital]]',
    sayTo(upTo, by) {
      goal = upTo;
      size = by;
    },
    heading: () => [...text.slice(0, goal).matchAll(/^## (.*)\n/gm)].at(-1)?.[1] ?? '',
    end: () => void (hasEnded = true),
  };
}

function textOf(length: number): string {
  let text = '';
  for (let n = 1; text.length < length; n++) text += part(n);
  return text.slice(0, length);
}

function part(n: number): string {
  const sentence = `Some **bold** words and \`code\` in a sentence of part ${n} that fills a line on most screens. `;
  return `## Part ${n}

${sentence.repeat(6)}

- a first point of part ${n}
- a second one, which says a little more than the first

\`\`\`ts
export const part${n} = (values: number[]) => values.filter((value) => value > ${n});
\`\`\`

${sentence.repeat(2)}

`;
}
