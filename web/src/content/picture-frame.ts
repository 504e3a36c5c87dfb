// Bing's picture maker embeds itself into an answer as a frame. One that is what it should be is drawn, by a part of
// ours; HTML itself is never.

export interface PictureFrame {
  /** The frame as it stands in the text. */
  source: string;
  /** Where its picture is made. */
  address: string;
}

const FORBIDDEN = /<\/?(?:script|img|style|div|a|input|button|form)\b/i;

/**
 * The frame of a message. Null unless it is the only one, has the role of a presentation, comes from the path where
 * pictures are made, and nothing that acts or draws stands beside it (section 5 of the specification).
 */
export function findPictureFrame(text: string): PictureFrame | null {
  if (!/<iframe\b/i.test(text)) return null;
  if (text.match(/<iframe\b/gi)?.length !== 1 || FORBIDDEN.test(text)) return null;
  const [source, written] = /<iframe\b([^<>]*)>\s*<\/iframe\s*>/i.exec(text) ?? [];
  if (source === undefined || written === undefined) return null;
  const attributes = attributesOf(written);
  const address = addressOf(attributes.get('src') ?? '');
  return attributes.get('role') === 'presentation' && address !== null ? { source, address } : null;
}

/** By their names in small letters; of two of one name the first holds, as in a browser. */
function attributesOf(written: string): Map<string, string> {
  const found = [...written.matchAll(/([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)];
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
