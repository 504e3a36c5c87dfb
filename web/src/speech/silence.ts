// Tells from levels of a microphone when somebody speaks and when they have ended. It learns how loud the room is.

export interface SpeechDetector {
  /** A level from 0 to 1, and when it was measured, in milliseconds. Returns what has just become of the turn. */
  add(level: number, atMs: number): 'begun' | 'ended' | null;
  /** Whether somebody speaks, or may just have begun to. */
  isAttentive(): boolean;
}

interface Options {
  /** A pause of so many milliseconds ends a turn. */
  pauseMs?: number;
  /** Speech begins once it lasts so long, in milliseconds: a click or a cough is shorter. */
  beginMs?: number;
  /** How much louder than the room speech is. */
  factor?: number;
}

/** The quietest speech that counts, whatever the room. */
const LEAST_LEVEL = 0.012;
/** A louder room is learned slowly, a quieter one at once: a long sentence must not become the room. */
const UP = 0.004;
const DOWN = 0.3;
/** Speech goes on down to this part of the level at which it begins. */
const HYSTERESIS = 0.6;

export function createSpeechDetector({ pauseMs = 1200, beginMs = 180, factor = 3 }: Options = {}): SpeechDetector {
  let room: number | null = null;
  let loudSince: number | null = null;
  let loudAt = 0;
  let isSpeaking = false;
  return { add, isAttentive: () => isSpeaking || loudSince !== null };

  function add(level: number, atMs: number): 'begun' | 'ended' | null {
    const floor = (room ??= Math.min(level, LEAST_LEVEL));
    room = floor + (level - floor) * (level < floor ? DOWN : UP);
    const threshold = Math.max(LEAST_LEVEL, floor * factor) * (isSpeaking ? HYSTERESIS : 1);
    if (level >= threshold) {
      loudSince ??= atMs;
      loudAt = atMs;
    } else if (!isSpeaking) loudSince = null;
    if (!isSpeaking && loudSince !== null && atMs - loudSince >= beginMs) {
      isSpeaking = true;
      return 'begun';
    }
    if (!isSpeaking || atMs - loudAt < pauseMs) return null;
    isSpeaking = false;
    loudSince = null;
    return 'ended';
  }
}
