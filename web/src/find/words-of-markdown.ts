import { kindOfCode, readFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import { artifactOfCode } from '@parley/schema/artifacts/find-artifacts';
import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { findMath } from '../content/math/find-math.ts';
import { BLOCK_END } from './folded.ts';

/** Stands for a formula or a picture. */
export const OBJECT = '\uFFFC';

/**
 * The words of Markdown as they are read: without marks and addresses, one block after the other. Code is read; a diagram,
 * a formula and what opens beside the answer are not.
 */
export function wordsOfMarkdown(markdown: string): string {
  try {
    return blocks(new Lexer({ gfm: true }).lex(withoutFormulas(markdown)));
  } catch {
    // What is nested too deep is shown as it is.
    return markdown;
  }
}

function withoutFormulas(text: string): string {
  if (!/\$|\\[([]/.test(text)) return text;
  let written = '';
  let from = 0;
  for (const span of findMath(text, false)) {
    if (span.type !== 'formula') continue;
    written += text.slice(from, span.start) + OBJECT;
    from = span.end;
  }
  return written + text.slice(from);
}

function blocks(tokens: readonly Token[]): string {
  return tokens.map((token) => block(token) + BLOCK_END).join('');
}

function block(one: Token): string {
  const token = one as MarkedToken;
  switch (token.type) {
    case 'space':
    case 'hr':
    case 'def':
      return '';
    case 'code':
      return isRead(token) ? token.text : '';
    case 'list':
      return token.items.map((item) => blocks(item.tokens)).join('');
    case 'table': {
      const { header, rows } = token;
      return [header, ...rows].flatMap((cells) => cells.map((cell) => inline(cell.tokens) + BLOCK_END)).join('');
    }
    case 'blockquote':
      return blocks(token.tokens);
    default:
      return inline('tokens' in token && token.tokens ? token.tokens : [token]);
  }
}

function isRead({ lang = '', text }: Tokens.Code): boolean {
  const info = readFenceInfo(lang);
  if (info.language === 'mermaid') return false;
  return kindOfCode(info.language, text) === null || artifactOfCode(info, text) === null;
}

function inline(tokens: readonly Token[]): string {
  return tokens.map(words).join('');
}

function words(token: Token): string {
  switch (token.type) {
    case 'br':
      return ' ';
    case 'image':
      return /^https?:/i.test(String(token.href)) ? token.text : OBJECT;
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? ' ' : token.raw;
    case 'codespan':
    case 'escape':
      return token.text;
    case 'checkbox':
      return '';
    default:
      if ('tokens' in token && token.tokens) return inline(token.tokens);
      return decoded('text' in token ? String(token.text) : token.raw);
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

function decoded(text: string): string {
  return text
    .replace(/^\[\^[^\]\s]+\]:\s*/, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
