import type { Budget, BudgetInput } from '@parley/schema/chat/budget';
import type { AppRouter } from '@parley/server/router';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { requestHeaders, session } from '../../session/current-session.ts';

// A separate client: sends a POST, because a question can be longer than a URL, and keeps the request out of the app's
// batches. It uses a batch link of size one, because that link is already bundled.
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

/** The share of its model's context window that a question would take. */
export function readBudget(input: BudgetInput, signal: AbortSignal): Promise<Budget> {
  return client.messages.budget.query(input, { signal });
}
