import type { Usage } from '@parley/schema/messages/messages';
import { creditsFor, INCOMPLETE_FACTOR, type Rates } from '@parley/schema/catalog/rates';
import type { Item } from './balances.ts';

/** The two ledger entries of a usage. Stopped completions cost more. */
export function billItems(
  { input, output }: Pick<Usage, 'input' | 'output'>,
  rates: Rates,
  isIncomplete: boolean,
): Item[] {
  const completionRate = isIncomplete ? Number((rates.completion * INCOMPLETE_FACTOR).toFixed(6)) : rates.completion;
  return [
    { tokenType: 'prompt', tokens: input, rate: rates.prompt, credits: creditsFor(input, rates.prompt) },
    { tokenType: 'completion', tokens: output, rate: completionRate, credits: creditsFor(output, completionRate) },
  ];
}
