// Tests of this room: tests/unit/speech, tests/integration/speech.

// The limits of speech, the same for the page and for the server.

/** The longest recording, in seconds. */
export const RECORDING_SECONDS_MAX = 600;
/** The largest recording, in bytes: what OpenAI takes. */
export const RECORDING_BYTES_MAX = 25 * 1024 * 1024;
/** The longest text that is read in one call, in characters; the server sends it on in pieces. */
export const SPOKEN_CHARS_MAX = 40_000;
/** The slowest and the fastest speech, as multiples of the usual speed. */
export const SPEED = { min: 0.5, max: 2 } as const;

/** What the page asks of speech: `GET /api/files/speech/config/get` tells clients of the REST API the same. */
export interface SpeechFacts {
  dictation: boolean;
  /** The voices of the provider; null where no provider reads. */
  voices: readonly string[] | null;
}
