import { aboutTokens, atMostTokens, countTokens } from '../endpoints/tokens.ts';

/** What a message costs beside its text: role and separators, as OpenAI counts them. */
const TOKENS_PER_MESSAGE = 4;

/** So many tokens, out of which messages are paid. */
export interface Purse {
  /** False when it cannot be afforded; then nothing is paid. */
  pay(text: string): Promise<boolean>;
  canPay(text: string): Promise<boolean>;
  /** What each was paid with, in the order of payment: exact where it mattered, else a guess. */
  prices(): number[];
}

/** Pays with a bound that costs nothing while it suffices, and counts exactly (`exactly`) from when it does not. */
export function createPurse(budget: number, exactly = priceOf): Purse {
  const paid: { text: string; price: number }[] = [];
  let isExact = false;
  let left = budget;
  return {
    async pay(text) {
      const price = await affordablePrice(text);
      if (price === null) return false;
      left -= price;
      paid.push({ text, price });
      return true;
    },
    canPay: async (text) => (await affordablePrice(text)) !== null,
    prices: () => paid.map(({ text, price }) => (isExact ? price : TOKENS_PER_MESSAGE + aboutTokens(text))),
  };

  async function affordablePrice(text: string): Promise<number | null> {
    if (!isExact && boundOf(text) > left) await countExactly();
    const price = isExact ? await exactly(text) : boundOf(text);
    return price <= left ? price : null;
  }

  async function countExactly(): Promise<void> {
    isExact = true;
    left = budget;
    for (const one of paid) {
      one.price = await exactly(one.text);
      left -= one.price;
    }
  }
}

/** Exactly what a message costs. */
export async function priceOf(text: string): Promise<number> {
  return TOKENS_PER_MESSAGE + (await countTokens(text));
}

function boundOf(text: string): number {
  return TOKENS_PER_MESSAGE + atMostTokens(text);
}
