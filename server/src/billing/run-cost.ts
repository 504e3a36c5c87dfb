// What a run costs, whether or not anybody is charged for it.
import { isFree, type Message, type Usage } from '@parley/schema/messages/messages';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { creditsFor, INCOMPLETE_FACTOR, isCharged, ratesOfModel, type Rates } from '@parley/schema/catalog/rates';
import type { Item } from './balances.ts';

export interface PricedRun {
  endpointType: EndpointType;
  /** The run's model: a reply continued with another model still names its first one. */
  model: string | null;
  /** The estimated prompt usage when the run began, with the reported rates if any; null where nothing was reserved. */
  expected: Usage | null;
}

/** In credits. */
export function runCredits(run: PricedRun, reply: Message, used: Usage): number {
  // What was reserved for is charged, whatever the type is.
  if (!run.expected && !isCharged(run.endpointType)) return 0;
  return runItems(run, reply, used).reduce((sum, { credits }) => sum + credits, 0);
}

/** The ledger entries of a run; none for one that costs nothing. */
export function runItems(
  { model, expected }: Pick<PricedRun, 'model' | 'expected'>,
  reply: Message,
  used: Usage,
): Item[] {
  const spent = spentOn(reply, used, expected);
  if (!spent) return [];
  return billItems(spent, ratesOfModel(model, expected?.rates ?? used.rates), reply.finishReason === 'incomplete');
}

/** Null for what costs nothing. */
function spentOn(reply: Message, used: Usage, expected: Usage | null): Usage | null {
  if (!used.estimated) return used;
  if (isFree(reply, used)) return null;
  const { input, output } = used;
  return { input: input || (expected?.input ?? 0), output, estimated: true };
}

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
