// An answer that ends when the test ends it: it still streams when the test looks, however slow the machine.
import { scriptedStream } from '@parley/scripts/fake-provider/scenario';
import type { App } from './app.ts';

export interface EndlessAnswer {
  /** A question with this text gets the answer. */
  cue: string;
  /** All text sent so far. */
  said(): string;
  end(): void;
}

/** Words that come fast; the others come slowly, so that an answer that lasts long still fits the view. */
const FAST = 100;

/**
 * Makes the app's provider stream one numbered word every 20 ms, later every 500 ms, for any question with the cue,
 * until `end`; at least one, since the test may end it before the first.
 */
export function startEndlessAnswer(app: App): EndlessAnswer {
  let hasEnded = false;
  let said = '';

  function* words() {
    for (let n = 1; n === 1 || !hasEnded; n++) {
      const text = `word${n} `;
      if (n > FAST) yield { type: 'wait', ms: 480 } as const;
      said += text;
      yield { type: 'text', text } as const;
    }
  }

  const script = () => scriptedStream(words(), { pace: { every: 20, count: 1 } });
  app.provider.script('monologue', { about: 'speaks until the test ends it', script });
  return { cue: '[[monologue]]', said: () => said, end: () => void (hasEnded = true) };
}
