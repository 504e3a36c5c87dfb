import type { Db } from '@parley/db/client';
import { SearchConvos, SearchNumberedPage } from '@parley/schema/search/search';
import { limitCalls } from '../abuse/call-limits.ts';
import { protectedProcedure, router } from '../http/trpc.ts';
import { refuse } from '../platform/errors.ts';
import { searchByNumber, searchConvos } from './search.ts';
import type { CoreServices } from '../platform/requests/request-services.ts';

/** Stands in `convos`. */
export const searchRouter = router({
  /** Titles and messages that contain all the words, grouped by conversation, best match first. */
  search: protectedProcedure.input(SearchConvos).query(async ({ ctx, input }) => {
    await limitCalls(ctx, ctx.user.id, 'search');
    return withSearch(ctx.deps).read((reader) => searchConvos(reader, ctx.user.id, input));
  }),

  /** The same by page number, with whole messages, for clients that count pages. */
  searchPage: protectedProcedure.input(SearchNumberedPage).query(async ({ ctx, input }) => {
    await limitCalls(ctx, ctx.user.id, 'search');
    return withSearch(ctx.deps).read((reader) => searchByNumber(reader, ctx.user.id, input));
  }),

  /** Whether search is on. */
  searchEnabled: protectedProcedure.query(({ ctx }) => ctx.deps.config.search.enabled),
});

/** @throws Refusal `invalid_input` where the operator has turned searching off */
function withSearch({ config, db }: CoreServices): Db {
  return config.search.enabled ? db : refuse({ type: 'invalid_input', text: 'Searching is switched off here.' });
}
