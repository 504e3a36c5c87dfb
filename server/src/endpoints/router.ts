import { TEXT_MAX } from '@parley/schema/ask';
import type { EndpointsConfig, ModelsConfig, ModelWindows, StartupConfig } from '@parley/schema/startup';
import * as z from 'zod';
import { showsBirthdayIcon } from '../config/birthday.ts';
import type { Deps } from '../deps.ts';
import { protectedProcedure, publicProcedure, router } from '../trpc.ts';
import type { ModelFacts } from './models.ts';
import { listReadiness } from './readiness.ts';
import { countTokens } from './tokens.ts';

export const endpointsRouter = router({
  /** What every visitor is told before signing in. */
  startup: publicProcedure.query(({ ctx }) => startupOf(ctx.deps)),

  /** The endpoints on offer. */
  list: publicProcedure.query(({ ctx }): EndpointsConfig =>
    Object.fromEntries(ctx.deps.endpoints.list().map(({ name, config }) => [name, config])),
  ),

  /** The models of each endpoint. */
  models: protectedProcedure.query(async ({ ctx }): Promise<ModelsConfig> => {
    const lists = ctx.deps.endpoints.list().map(async ({ name, models }) => ({
      [name]: [...(await models(ctx.user.id))],
    }));
    return Object.assign({}, ...(await Promise.all(lists)));
  }),

  /** The context windows that providers tell, in tokens; those of other models are known by their names. */
  windows: protectedProcedure.query(async ({ ctx }): Promise<ModelWindows> => {
    const lists = ctx.deps.endpoints.list().map(async ({ name, told }) => ({
      [name]: windowsIn(await told(ctx.user.id)),
    }));
    return Object.assign({}, ...(await Promise.all(lists)));
  }),

  /** The built-in endpoints, on offer or not, and what those wait for that are not ready. */
  readiness: protectedProcedure.query(({ ctx }) => listReadiness(ctx.deps.config)),

  /** Plugin tools on offer. */
  plugins: protectedProcedure.query((): never[] => []),

  /** How many tokens a text has, as OpenAI's models count. */
  tokenCount: protectedProcedure
    .input(z.strictObject({ text: z.string().max(TEXT_MAX) }))
    .query(async ({ input }) => ({ count: await countTokens(input.text) })),
});

function windowsIn(told: ReadonlyMap<string, ModelFacts>): Record<string, number> {
  return Object.fromEntries(
    [...told].flatMap(([model, { window }]) => (window === undefined ? [] : [[model, window]])),
  );
}

export function startupOf({ config }: Deps): StartupConfig {
  const showBirthdayIcon = showsBirthdayIcon(config.birthdayIcon, new Date());
  return { ...structuredClone(config.startup), showBirthdayIcon } as StartupConfig;
}
