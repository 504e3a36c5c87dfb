import { countTokens, estimateTokens } from '../../catalog/count-tokens.ts';

/** Counts a message's overhead beside its text (role and separators), as OpenAI does. */
const TOKENS_PER_MESSAGE = 4;

/** The tokens that a context window has for messages. */
export interface TokenBudget {
  /** False when it does not fit; then nothing is added. */
  add(text: string, imageTokens?: number): Promise<boolean>;
  fits(text: string): Promise<boolean>;
  /** The tokens of each message in the order they were added: exact where that mattered, otherwise an estimate. */
  counts(): number[];
}

/** Uses an upper bound by bytes while that fits, and counts exactly (`count`) as soon as it does not. */
export function createTokenBudget(budget: number, count = messageTokens): TokenBudget {
  const added: { text: string; imageTokens: number; tokens: number }[] = [];
  let isExact = false;
  let left = budget;
  return {
    async add(text, imageTokens = 0) {
      const tokens = await fittingCount(text, imageTokens);
      if (tokens === null) return false;
      left -= tokens;
      added.push({ text, imageTokens, tokens });
      return true;
    },
    fits: async (text) => (await fittingCount(text, 0)) !== null,
    counts: () =>
      added.map(({ text, imageTokens, tokens }) =>
        isExact ? tokens : TOKENS_PER_MESSAGE + imageTokens + estimateTokens(text),
      ),
  };

  async function fittingCount(text: string, imageTokens: number): Promise<number | null> {
    // A token is at least one byte of UTF-8.
    const bound = TOKENS_PER_MESSAGE + Buffer.byteLength(text) + imageTokens;
    if (!isExact && bound > left) await countExactly();
    const tokens = isExact ? imageTokens + (await count(text)) : bound;
    return tokens <= left ? tokens : null;
  }

  async function countExactly(): Promise<void> {
    isExact = true;
    left = budget;
    for (const one of added) {
      one.tokens = one.imageTokens + (await count(one.text));
      left -= one.tokens;
    }
  }
}

/** The exact tokens of a message. */
export async function messageTokens(text: string): Promise<number> {
  return TOKENS_PER_MESSAGE + (await countTokens(text));
}
