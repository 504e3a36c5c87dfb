import type { SpeechFacts } from '@parley/schema/speech/limits';
import { protectedProcedure, router } from '../http/trpc.ts';

export const speechRouter = router({
  /** Who writes and who reads here, without addresses and keys. */
  facts: protectedProcedure.query(({ ctx }): SpeechFacts => {
    const { stt, tts } = ctx.deps.config.speech;
    return { dictation: stt !== null, voices: tts && [...tts.voices] };
  }),

  /** What clients of the REST API begin with; null where nothing of speech is set up. */
  clientSettings: protectedProcedure.query(({ ctx }) => {
    const { stt, tts, tab } = ctx.deps.config.speech;
    const settings: Record<string, unknown> = { ...tab };
    if (!stt && !tts && Object.keys(tab).length === 0) return null;
    return { ...settings, sttExternal: stt !== null, ttsExternal: tts !== null };
  }),
});
