import { QueryClient, type InvalidateOptions, type InvalidateQueryFilters } from '@tanstack/react-query';

/**
 * Invalidates reads that are under way, too, whose answers may be older than the change. TanStack Query takes the answer of
 * a first read, and that of a query that no component shows at the moment, for a new one, which ends the invalidation.
 */
export class ParleyQueryClient extends QueryClient {
  override async invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    const early = this.getQueryCache()
      .findAll(filters)
      .filter((query) => query.state.fetchStatus !== 'idle' && (query.state.data === undefined || !query.isActive()));
    const answered = Promise.allSettled(early.map(({ promise }) => promise));
    await super.invalidateQueries(filters, options);
    if (early.length === 0) return;
    await answered;
    await super.invalidateQueries({ ...filters, predicate: (query) => early.includes(query) }, options);
  }
}
