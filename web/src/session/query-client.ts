import { QueryClient, type InvalidateOptions, type InvalidateQueryFilters } from '@tanstack/react-query';

/** Invalidates first reads, too: TanStack Query takes the answer of one that is under way, which may be the older one. */
export class ParleyQueryClient extends QueryClient {
  override async invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    const early = this.getQueryCache()
      .findAll(filters)
      .filter(({ state }) => state.fetchStatus === 'fetching' && state.data === undefined);
    const answered = Promise.allSettled(early.map(({ promise }) => promise));
    await super.invalidateQueries(filters, options);
    if (early.length === 0) return;
    await answered;
    await super.invalidateQueries({ ...filters, predicate: (query) => early.includes(query) }, options);
  }
}
