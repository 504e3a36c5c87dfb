// Bing's image creator embeds itself into an answer as an iframe. Our own component renders a valid one; HTML itself
// never renders.

export interface BingImage {
  /** The iframe as written in the text. */
  source: string;
  /** The URL of its image. */
  address: string;
}

const FORBIDDEN = /<\/?(?:script|img|style|div|a|input|button|form)\b/i;

/**
 * The iframe of a message. Null unless it is the only one, has `role="presentation"`, points to the image creator's
 * path, and the message has no tag that scripts or draws.
 */
export function findBingImage(text: string): BingImage | null {
  if (!/<iframe\b/i.test(text)) return null;
  if (text.match(/<iframe\b/gi)?.length !== 1 || FORBIDDEN.test(text)) return null;
  const [source, written] = /<iframe\b([^<>]*)>\s*<\/iframe\s*>/i.exec(text) ?? [];
  if (source === undefined || written === undefined) return null;
  const attributes = attributesOf(written);
  const address = addressOf(attributes.get('src') ?? '');
  return attributes.get('role') === 'presentation' && address !== null ? { source, address } : null;
}

/** By lower-case name; the first of duplicates wins, as in a browser. */
function attributesOf(written: string): Map<string, string> {
  const found = [...written.matchAll(/(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)];
  return new Map(
    found.toReversed().map(([, name = '', double, single]) => [name.toLowerCase(), double ?? single ?? '']),
  );
}

function addressOf(written: string): string | null {
  const text = written.replaceAll('&amp;', '&');
  if (!URL.canParse(text)) return null;
  const { origin, pathname, username, password, href } = new URL(text);
  const isMaker = origin === 'https://www.bing.com' && /^\/images\/create(?:\/|$)/.test(pathname);
  return isMaker && username === '' && password === '' ? href : null;
}
