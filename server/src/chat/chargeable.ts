import type { Query } from '@parley/db/client';
import type { Chargeable } from '../billing/billing.ts';
import type { Ask } from './ask-messages.ts';
import { promptTokensOf } from './context/prompt-tokens.ts';

/** The billing view of an ask. Its prompt is counted only where it is charged. */
export function askedCharge(query: Query, ask: Ask): Chargeable {
  const { userId, owner, input, endpoint, model, settings, metadata } = ask;
  return {
    userId,
    owner,
    generationId: input.generationId,
    endpointType: endpoint.type,
    model,
    settings,
    rates: metadata.rates,
    isUsersServer: endpoint.config.userProvideURL === true,
    countPromptTokens: () => promptTokensOf(query, ask),
  };
}
