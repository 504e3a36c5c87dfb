export interface Fence {
  /** The first word after the opening fence, or an empty string. */
  language: string;
  /** All words after the opening fence. */
  info: string;
  code: string;
  closed: boolean;
}

/** Parses a block that is exactly one fenced code block; undefined for any other block. */
export function readFence(block: string): Fence | undefined {
  const opening = /^\n*( {0,3})(`{3,}|~{3,})([^\n]*)(?:\n|$)/.exec(block);
  const [lead = '', indent = '', marks = '', info = ''] = opening ?? [];
  if (!opening || (marks.startsWith('`') && info.includes('`'))) return undefined;
  const body = block.slice(lead.length);
  const closing = new RegExp(`(?:^|\\n) {0,3}${marks[0]}{${marks.length},}[ \\t]*\\n*$`).exec(body);
  const code = closing ? body.slice(0, closing.index) : withoutHalfClosing(body, marks);
  const language = info.trim().split(/\s/)[0] ?? '';
  return {
    language,
    info: info.trim(),
    code: indent === '' ? code : code.replace(new RegExp(`^ {1,${indent.length}}`, 'gm'), ''),
    closed: closing !== null,
  };
}

/** The closing fence streams in one mark at a time: the first marks are not code. */
function withoutHalfClosing(body: string, marks: string): string {
  const half = new RegExp(`(?:^|\\n) {0,3}${marks[0]}{1,${marks.length - 1}}$`).exec(body);
  return (half ? body.slice(0, half.index) : body).replace(/\n$/, '');
}
