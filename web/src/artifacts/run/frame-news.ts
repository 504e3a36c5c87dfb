// What a running artifact tells the page; see `public/artifact/frame.js`. Whatever runs there can send anything.

export type FrameNews =
  | { state: 'running' }
  | { state: 'failed'; message: string; line: number }
  /** It wanted to load this address, or to reach one that is not known. */
  | { state: 'blocked'; address: string }
  /** It imports what is not there. */
  | { state: 'unknown'; name: string }
  /** A link was pressed. */
  | { state: 'link'; address: string }
  /** F6 was pressed. */
  | { state: 'left' };

const TEXT_MAX = 2_000;

export function readNews(data: unknown): FrameNews | null {
  if (typeof data !== 'object' || data === null) return null;
  const { state, message, line, address, name } = data as Record<string, unknown>;
  switch (state) {
    case 'running':
    case 'left':
      return { state };
    case 'failed':
      return isText(message) ? { state, message, line: Number.isSafeInteger(line) ? Number(line) : 0 } : null;
    case 'blocked':
      return isText(address) ? { state, address } : null;
    case 'link':
      return isText(address) && isWebAddress(address) ? { state, address } : null;
    case 'unknown':
      return isText(name) ? { state, name } : null;
    default:
      return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= TEXT_MAX;
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
