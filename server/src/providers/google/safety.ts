// What Gemini blocks (docs: "Safety settings" of the Gemini API). A category without a variable keeps Google's default.
import { flag, text, type EnvReader } from '../../config/env/env-readers.ts';
import { configError } from '../../config/config-error.ts';

export interface SafetySetting {
  category: string;
  threshold: string;
}

const THRESHOLDS = ['OFF', 'BLOCK_NONE', 'BLOCK_ONLY_HIGH', 'BLOCK_MEDIUM_AND_ABOVE', 'BLOCK_LOW_AND_ABOVE'];

/** Words of other products' files, in Gemini's terms. */
const SAME: Readonly<Record<string, string>> = { BLOCK_ALL: 'BLOCK_LOW_AND_ABOVE', WARN_ONLY: 'BLOCK_NONE' };

/** In any case. `HARM_BLOCK_THRESHOLD_UNSPECIFIED` is Google's default, as an absent variable is. */
const threshold: EnvReader<string | undefined> = (value, name) => {
  const given = text(value)?.toUpperCase();
  if (given === undefined || given === 'HARM_BLOCK_THRESHOLD_UNSPECIFIED') return undefined;
  const word = SAME[given] ?? given;
  if (THRESHOLDS.includes(word)) return word;
  throw configError(`${name} must be one of ${THRESHOLDS.join(', ')}, but is ${JSON.stringify(given.slice(0, 80))}.`);
};

export const SAFETY_VARIABLES = {
  GOOGLE_SAFETY_SEXUALLY_EXPLICIT: threshold,
  GOOGLE_SAFETY_HATE_SPEECH: threshold,
  GOOGLE_SAFETY_HARASSMENT: threshold,
  GOOGLE_SAFETY_DANGEROUS_CONTENT: threshold,
  GOOGLE_SAFETY_CIVIC_INTEGRITY: threshold,
  GOOGLE_EXCLUDE_SAFETY_SETTINGS: flag,
};

type SafetyEnv = { readonly [Name in keyof typeof SAFETY_VARIABLES]: ReturnType<(typeof SAFETY_VARIABLES)[Name]> };

export function safetySettings(env: SafetyEnv): SafetySetting[] {
  if (env.GOOGLE_EXCLUDE_SAFETY_SETTINGS) return [];
  const thresholds = {
    HARM_CATEGORY_SEXUALLY_EXPLICIT: env.GOOGLE_SAFETY_SEXUALLY_EXPLICIT,
    HARM_CATEGORY_HATE_SPEECH: env.GOOGLE_SAFETY_HATE_SPEECH,
    HARM_CATEGORY_HARASSMENT: env.GOOGLE_SAFETY_HARASSMENT,
    HARM_CATEGORY_DANGEROUS_CONTENT: env.GOOGLE_SAFETY_DANGEROUS_CONTENT,
    HARM_CATEGORY_CIVIC_INTEGRITY: env.GOOGLE_SAFETY_CIVIC_INTEGRITY,
  };
  return Object.entries(thresholds).flatMap(([category, word]) =>
    word === undefined ? [] : [{ category, threshold: word }],
  );
}
