/** Anthropic's prompt cache: which marks it refuses, and what a request reads from it and writes to it. */
import { asFields, listIn } from '@parley/schema/json';
import { roughTokens } from '@parley/server/providers/demo/turns';

type Block = Record<string, unknown>;

export type CacheUse = {
  /** All tokens of the prompt: the three together. */
  total: number;
  read: number;
  written: number;
};

const MARKS_MAX = 4;
/** Shorter beginnings are not cached; the real limit differs by model. */
const TOKENS_MIN = 1024;
/** So many blocks before a mark are looked up. */
const BLOCKS_LOOKED_UP = 20;

/** Why the marks of a body are refused; undefined where they are not. */
export function refusedMarks(body: unknown): string | undefined {
  const marked = blocksOf(body).filter(({ block }) => 'cache_control' in block);
  for (const { block, where } of marked) {
    const { type, ttl = '5m' } = asFields(block.cache_control);
    if (type !== 'ephemeral') return `${where}.cache_control.type: Input should be 'ephemeral'`;
    if (ttl !== '5m' && ttl !== '1h') return `${where}.cache_control.ttl: Input should be '5m' or '1h'`;
    if (block.type === 'thinking' || block.type === 'redacted_thinking')
      return `${where}.cache_control: Extra inputs are not permitted`;
    if (block.type === 'text' && block.text === '')
      return `${where}: cache_control cannot be set for empty text blocks`;
  }
  return marked.length > MARKS_MAX
    ? `A maximum of ${MARKS_MAX} blocks with cache_control may be provided. Found ${marked.length}.`
    : undefined;
}

/** Null where nothing is marked. `kept` has the beginnings that are cached, and gets those that are written. */
export function cacheUse(body: unknown, kept: Map<string, string>): CacheUse | null {
  const blocks = blocksOf(body);
  const last = blocks.findLastIndex(({ block }) => 'cache_control' in block);
  if (last === -1) return null;
  let beginning = `cache:${String(Object(body).model)}`;
  const places = blocks.map(({ block: { cache_control: _mark, ...block } }) => {
    const text = JSON.stringify(block);
    beginning += text;
    return { beginning, tokens: roughTokens(text) };
  });
  const tokensUpTo = (place: number) => places.slice(0, place + 1).reduce((sum, { tokens }) => sum + tokens, 0);
  const total = tokensUpTo(places.length - 1);
  const isNear = (place: number) =>
    blocks.some(({ block }, mark) => 'cache_control' in block && place <= mark && place > mark - BLOCKS_LOOKED_UP);
  const found = places.findLastIndex((place, at) => isNear(at) && kept.has(place.beginning));
  const read = found === -1 ? 0 : tokensUpTo(found);
  const end = tokensUpTo(last);
  if (end < TOKENS_MIN) return { total, read: 0, written: 0 };
  for (const [at, { block }] of blocks.entries())
    if ('cache_control' in block && tokensUpTo(at) >= TOKENS_MIN) kept.set(places[at]?.beginning ?? '', '');
  return { total, read, written: end - read };
}

/** The body as it would be without marks: the instructions are a text again. */
export function withoutMarks(body: unknown): unknown {
  const bare: unknown = JSON.parse(
    JSON.stringify(body ?? null, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  );
  const { system, ...rest } = asFields(bare);
  if (!Array.isArray(system)) return bare;
  const texts = listOf(system).map(({ text }) => String(text));
  return { ...rest, system: texts.join('\n') };
}

/** In the order in which the model is told them. */
function blocksOf(body: unknown): { block: Block; where: string }[] {
  const { tools, system, messages } = asFields(body);
  const turns = listOf(messages).map((turn) => {
    const { content } = turn;
    return Array.isArray(content) ? listOf(content) : [{ type: 'text', text: content }];
  });
  return [
    ...listOf(tools).map((block, at) => ({ block, where: `tools.${at}` })),
    ...(typeof system === 'string' ? [{ type: 'text', text: system }] : listOf(system)).map((block, at) => ({
      block,
      where: `system.${at}`,
    })),
    ...turns.flatMap((blocks, turn) => blocks.map((block, at) => ({ block, where: `messages.${turn}.content.${at}` }))),
  ];
}

function listOf(value: unknown): Block[] {
  return listIn(value).map(asFields);
}
