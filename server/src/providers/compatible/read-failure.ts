// Reads what providers and the servers before them say when they fail, in all the shapes that they say it in.
import { asFields, isObject, listIn, parseJson } from '@parley/schema/json';

export interface Failure {
  /** The provider's own sentence; empty where there is none. */
  text: string;
  /** The provider's own error code. */
  code?: string | undefined;
  /** The fields of the request that it names. */
  params: readonly string[];
  /** In seconds. */
  retryAfter?: number | undefined;
}

type Loose = Record<string, unknown>;

/** Reads the body of a response, or one event of a stream. */
export function failureIn(body: string): Failure {
  const said = body.trim();
  const event = /^(?:data|error):(.*)$/m.exec(said)?.[1]?.trim();
  return readFailure(parseJson(said) ?? (event === undefined ? undefined : parseJson(event)) ?? said);
}

/** As `failureIn`, for what is parsed already. */
export function readFailure(parsed: unknown): Failure {
  const text = textIn(parsed);
  const { code, retryAfter } = isObject(parsed) || Array.isArray(parsed) ? factsIn(parsed) : {};
  return { text, code, params: [...new Set(paramsIn(parsed))], retryAfter };
}

/** How deep the sentence may be. */
const DEPTH_MAX = 5;
/** Where another object, a list or a sentence may be; the first that has words counts. */
const NESTED = ['error', 'errors', 'message', 'detail', 'details', 'errorMessage'];
const SENTENCES = [
  'message',
  'msg',
  'error_description',
  'error_message',
  'error_msg',
  'errorMessage',
  'detail',
  'error',
  'description',
  'reason',
  'title',
];

function textIn(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX) return '';
  if (typeof value === 'string') return sentenceIn(value, depth);
  if (Array.isArray(value))
    return [...new Set(value.map((one) => textIn(one, depth + 1)))].filter((text) => text !== '').join(' ');
  if (!isObject(value)) return '';
  const inner = NESTED.map((name) => value[name]).filter((one) => typeof one === 'object');
  const texts = [...inner.slice(0, 1), ...SENTENCES.map((name) => value[name]), ...inner.slice(1)];
  for (const one of texts) {
    const text = textIn(one, depth + 1);
    if (text !== '') return withCause(text, value, depth);
  }
  return '';
}

/** Gateways quote the provider behind them. */
function withCause(text: string, { metadata }: Loose, depth: number): string {
  const cause = isObject(metadata) ? textIn(metadata.raw, depth + 1) : '';
  return cause === '' || text.includes(cause) ? text : `${text}: ${cause}`;
}

function sentenceIn(said: string, depth: number): string {
  const text = said.trim();
  if (/^[[{]/.test(text)) {
    const inner = parseJson(text);
    if (inner !== undefined) return textIn(inner, depth + 1) || text;
  }
  return text.startsWith('<') ? titleIn(text) : text;
}

/** A page is known by its title. */
function titleIn(page: string): string {
  const [, title] = /<title[^<>]*>([^<]+)</i.exec(page) ?? /<h1[^<>]*>([^<]+)</i.exec(page) ?? [];
  return (title ?? '')
    .replaceAll(/&(amp|lt|gt|quot|#39|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'" };

function factsIn(parsed: Loose | unknown[]): Pick<Failure, 'code' | 'retryAfter'> {
  const outer = [parsed].flat().find(isObject) ?? {};
  const error = [outer.error, outer.detail].find(isObject) ?? outer;
  const facts = Array.isArray(error.details) ? error.details.filter(isObject) : [];
  const first = (name: string) => facts.map((fact) => fact[name]).find((word) => typeof word === 'string');
  const delay = first('retryDelay');
  return {
    code: [first('reason'), error.status, error.code, error.type].find((word) => typeof word === 'string'),
    retryAfter: delay === undefined ? undefined : Number.parseFloat(delay),
  };
}

/** Validators name the field by its place: `["body", "user"]`; OpenAI by `param`. */
function paramsIn(value: unknown, depth = 0): string[] {
  if (depth > DEPTH_MAX || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => paramsIn(one, depth + 1));
  const { loc, param, ...rest } = asFields(value);
  const place = listIn(loc).find((one) => typeof one === 'string' && one !== 'body');
  const named = typeof param === 'string' ? param.split(',').map((name) => name.replace(/[.[].*/s, '').trim()) : [];
  return [
    ...(typeof place === 'string' ? [place] : []),
    ...named,
    ...NESTED.flatMap((name) => paramsIn(rest[name], depth + 1)),
  ];
}

/** More than any reader of it uses. */
const SENTENCE_MAX = 10_000;

/** An error body in the shape that the official clients read: `{ error: { message } }`. */
export function withSentence(body: string): string {
  const parsed = parseJson(body);
  const error = isObject(parsed) ? parsed.error : undefined;
  if (isObject(error) && typeof error.message === 'string' && !isObject(error.metadata)) return body;
  const { text, code, params } = failureIn(body);
  if (text === '') return body;
  const type = isObject(error) ? error.type : undefined;
  return JSON.stringify({
    type: 'error',
    error: {
      message: text.slice(0, SENTENCE_MAX),
      ...(isObject(error) && 'code' in error ? { code: error.code } : { code }),
      ...(typeof type === 'string' && { type }),
      ...(params.length > 0 && { param: params.join(',') }),
    },
  });
}
