import type { trpc } from '../../trpc.ts';

type Utils = ReturnType<typeof trpc.useUtils>;

/** Reads again which endpoints and models are offered, and what is known of them. */
export function invalidateOffer({ endpoints, presets }: Utils): void {
  const queries = [endpoints.list, endpoints.models, endpoints.windows, endpoints.readiness, presets.specs];
  for (const query of queries) void query.invalidate();
}
