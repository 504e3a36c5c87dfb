/** Maximum input length; also bounds the depth of parentheses. */
const TEXT_CHARS_MAX = 200;

/**
 * Evaluates arithmetic such as `1000 * 60 * 15`: numbers, + - * / and parentheses. Undefined when the text is anything
 * else or has no finite value. Never evaluates code.
 */
export function evaluateArithmetic(text: string): number | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  const value = sum(tokens);
  return tokens.length === 0 && Number.isFinite(value) ? value : undefined;
}

const TOKEN = /\d+(?:\.\d+)?|[-+*/()]/g;

function tokensOf(text: string): string[] | undefined {
  if (text.length > TEXT_CHARS_MAX || text.replace(TOKEN, '').trim() !== '') return undefined;
  return text.match(TOKEN) ?? undefined;
}

/** Recursive descent: each level consumes tokens from the front; unreadable ones become NaN, which propagates. */
function sum(tokens: string[]): number {
  let value = product(tokens);
  while (tokens[0] === '+' || tokens[0] === '-') {
    value = tokens.shift() === '+' ? value + product(tokens) : value - product(tokens);
  }
  return value;
}

function product(tokens: string[]): number {
  let value = factor(tokens);
  while (tokens[0] === '*' || tokens[0] === '/') {
    value = tokens.shift() === '*' ? value * factor(tokens) : value / factor(tokens);
  }
  return value;
}

function factor(tokens: string[]): number {
  const token = tokens.shift();
  if (token === undefined) return NaN;
  if (token === '-') return -factor(tokens);
  if (token !== '(') return Number(token);
  const value = sum(tokens);
  return tokens.shift() === ')' ? value : NaN;
}
