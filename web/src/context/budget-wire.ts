import type { Budget, BudgetInput } from '@parley/schema/budget';
import type { AppRouter } from '@parley/server/router';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { requestHeaders, session } from '../auth/current.ts';

// By a POST of its own: a question may be longer than an address can be, and none of the app's calls waits for it. A
// batch of one, because that link is there anyway.
const client = createTRPCClient<AppRouter>({
  links: [
    httpBatchLink({
      url: '/trpc',
      maxItems: 1,
      methodOverride: 'POST',
      headers: () => requestHeaders(session.get().token),
    }),
  ],
});

/** What a question would take of its model's window. */
export function readBudget(input: BudgetInput, signal: AbortSignal): Promise<Budget> {
  return client.messages.budget.query(input, { signal });
}
