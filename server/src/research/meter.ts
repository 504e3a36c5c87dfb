// Counts what a research uses, and holds each part of it to its share of the budget. What steps have paid with their
// notes is not paid again at the end.
import type { Rates } from '@parley/schema/catalog/rates';
import { addUsage, type ReportedRates, type Usage } from '@parley/schema/catalog/usage';
import type { Item } from '../billing/balances.ts';
import { createCallMeter, type CallMeter } from '../billing/call-meter.ts';
import { billItems } from '../billing/run-cost.ts';
import { NOTHING } from '../billing/usage.ts';

export interface ResearchMeter extends CallMeter {
  /** What the steps have not paid yet. */
  unpaid(): Promise<Usage>;
  /** What is left of the budget and held by no part, in credits. */
  left(): number;
  /** Counts a part of the research, which may cost so much. */
  part(credits: number, promptTokens: number): MeteredPart;
}

export interface MeteredPart extends CallMeter {
  /** What it has used, with what that costs. */
  bill(): Promise<{ used: Usage | null; items: Item[]; credits: number }>;
  /** Notes that it is paid; what it did not use of its share is free again. */
  paid(): Promise<void>;
}

export interface Metered {
  rates: Rates;
  /** The prices that the provider reports. */
  reported: ReportedRates | undefined;
  isUsersServer: boolean;
  budget: number;
  /** By the steps that have ended. */
  spent: number;
  usage: Usage | null;
}

export function createResearchMeter(metered: Metered): ResearchMeter {
  const { rates, reported, isUsersServer, budget } = metered;
  const parts = new Map<MeteredPart, number>();
  let { spent, usage } = metered;
  const isFree = rates.prompt === 0 && rates.completion === 0;
  return { pass, used, unpaid, left, part };

  function left(): number {
    let held = 0;
    for (const credits of parts.values()) held += credits;
    return isFree ? budget : Math.max(0, budget - spent - held);
  }

  function pass(...[stream, countPrompt, signal]: Parameters<CallMeter['pass']>) {
    return part(left(), 0).pass(stream, countPrompt, signal);
  }

  async function used(): Promise<Usage> {
    return addUsage(usage, await unpaid()) ?? NOTHING;
  }

  async function unpaid(): Promise<Usage> {
    let sum: Usage | null = null;
    for (const one of parts.keys()) sum = addUsage(sum, (await one.bill()).used);
    return sum ?? NOTHING;
  }

  function part(credits: number, promptTokens: number): MeteredPart {
    const reserved = { credits, promptTokens, isOfBalance: false, isOfBudget: false, ofKey: null };
    const limit = {
      reserved,
      rates,
      extend: async () => 0,
      refusal: (figures: { balance: number; promptTokens: number; tokenCost: number }) =>
        ({ type: 'token_balance', ...figures }) as const,
    };
    const meter = createCallMeter({ reported, isUsersServer, isAnnounced: false, limit: isFree ? null : limit });
    let isUsed = false;
    const one: MeteredPart = {
      pass(stream, countPrompt, signal) {
        return meter.pass(
          (until) => {
            isUsed = true;
            return stream(until);
          },
          countPrompt,
          signal,
        );
      },
      used: meter.used,
      async bill() {
        if (!isUsed) return { used: null, items: [], credits: 0 };
        const counted = await meter.used();
        if (counted.input + counted.output === 0) return { used: null, items: [], credits: 0 };
        const items = billItems(counted, rates, false);
        return { used: counted, items, credits: items.reduce((sum, item) => sum + item.credits, 0) };
      },
      async paid() {
        const bill = await one.bill();
        parts.delete(one);
        spent += bill.credits;
        usage = addUsage(usage, bill.used);
      },
    };
    parts.set(one, credits);
    return one;
  }
}
