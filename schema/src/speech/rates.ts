// Prices of speech in credits: a million credits are one US dollar. Transcription is priced by the second of the recording,
// reading aloud by the character, whatever unit a provider bills by.
import type { ReportedRates } from '../catalog/usage.ts';

/**
 * Credits a second, by the model's name. OpenAI: https://platform.openai.com/docs/pricing, "Transcription": 0.006 US
 * dollars a minute, and 0.003 for the smaller model.
 */
const PER_SECOND: readonly (readonly [match: RegExp, rate: number])[] = [
  [/^whisper/, 100],
  [/^gpt-4o-transcribe/, 100],
  [/^gpt-4o-mini-transcribe/, 50],
];

/**
 * Credits a character, by the model's name. OpenAI: https://platform.openai.com/docs/pricing, "Speech generation": 15 and
 * 30 US dollars a million characters; gpt-4o-mini-tts is 0.015 a minute, in which about 900 characters are spoken.
 * ElevenLabs: https://elevenlabs.io/pricing/api, 0.05 and 0.1 a thousand characters.
 */
const PER_CHARACTER: readonly (readonly [match: RegExp, rate: number])[] = [
  [/^tts-1(?!-hd)/, 15],
  [/^tts-1-hd/, 30],
  [/^gpt-4o-mini-tts/, 17],
  [/^eleven_/, 100],
  [/^eleven_(?:flash|turbo)/, 50],
];

/**
 * What a second of a recording costs, or a character that is read; the last row that matches wins.
 * @param isElsewhere the model runs at an address of the operator's own: one that no row names costs nothing there, and
 * what the first row says at the provider
 */
export function speechRates(kind: 'stt' | 'tts', model: string, isElsewhere: boolean): ReportedRates {
  const rows = kind === 'stt' ? PER_SECOND : PER_CHARACTER;
  const known = rows.findLast(([match]) => match.test(model)) ?? (isElsewhere ? undefined : rows[0]);
  return { prompt: known?.[1] ?? 0, completion: 0 };
}
