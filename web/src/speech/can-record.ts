// Tests of this room: tests/unit/web/speech, tests/e2e/speech.

/** Whether this browser can record here: only on addresses that nobody else can read. */
export function canRecord(): boolean {
  return window.isSecureContext && 'MediaRecorder' in window && 'mediaDevices' in navigator;
}
