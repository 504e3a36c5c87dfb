// Tells running researches to write what there is, in whichever process they run.
import type { PubSub } from '../platform/pubsub.ts';
import { WRITE_NOW } from './rows.ts';

export interface WriteNow {
  /** Aborts when the report of this run is to be written. */
  begin(generationId: string): AbortController;
  end(generationId: string): void;
}

export function createWriteNow(pubsub: Pick<PubSub, 'on'>): WriteNow {
  const running = new Map<string, AbortController>();
  pubsub.on(WRITE_NOW, (generationId) => running.get(generationId)?.abort());
  return {
    begin(generationId) {
      const controller = new AbortController();
      running.set(generationId, controller);
      return controller;
    },
    end: (generationId) => void running.delete(generationId),
  };
}
