// A microphone that records all the time, so that no word is cut, and tells when somebody speaks.
import type { Microphone, Recorder } from './microphone.ts';
import { createSpeechDetector } from './silence.ts';

export interface Ear {
  /** From 0 to 1. */
  level(): number;
  /** Begins to record, and to look for speech. */
  attend(options?: Parameters<typeof createSpeechDetector>[0]): void;
  /** What has just become of the turn; to be called many times a second. */
  look(): 'begun' | 'ended' | null;
  /** How long it has recorded, in milliseconds. */
  lasted(): number;
  /** Ends the recording, and hands it over. */
  take(): Promise<Blob>;
  close(): void;
}

/** What stands before the first word of a turn, at most, in milliseconds: a recording of silence is begun anew. */
const LEAD_MS = 4_000;

export function createEar(microphone: Microphone): Ear {
  let recorder: Recorder | null = null;
  let detector = createSpeechDetector();
  let begunAt = 0;
  return {
    level: microphone.level,
    attend(options) {
      detector = createSpeechDetector(options);
      begin();
    },
    look() {
      if (!recorder) return null;
      const now = performance.now();
      const news = detector.add(microphone.level(), now);
      if (!detector.isAttentive() && now - begunAt > LEAD_MS) begin();
      return news;
    },
    lasted: () => performance.now() - begunAt,
    async take() {
      const turn = recorder;
      recorder = null;
      return turn ? turn.stop() : new Blob();
    },
    close: microphone.close,
  };

  function begin(): void {
    void recorder?.stop();
    recorder = microphone.record();
    begunAt = performance.now();
  }
}
