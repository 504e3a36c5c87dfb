// An answer whose end the test decides: however slow the machine, it is still being given when the test looks.
import { speech } from '@parley/scripts/fake-provider/scenario';
import type { App } from './app.ts';

export interface Monologue {
  /** What a question has to hold to be answered so. */
  cue: string;
  /** All that was said so far. */
  said(): string;
  end(): void;
}

/** Makes the app's provider speak a numbered word every 20 ms to any question with the cue, until the end is called. */
export function startMonologue(app: App): Monologue {
  let hasEnded = false;
  let said = '';

  function* words() {
    for (let n = 1; !hasEnded; n++) {
      const text = `word${n} `;
      said += text;
      yield { type: 'text', text } as const;
    }
  }

  const play = () => speech(words(), { pace: { every: 20, count: 1 } });
  app.provider.script('monologue', { about: 'speaks until the test ends it', play });
  return { cue: '[[monologue]]', said: () => said, end: () => void (hasEnded = true) };
}
