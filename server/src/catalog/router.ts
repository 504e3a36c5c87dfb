import { TEXT_MAX } from '@parley/schema/chat/ask';
import type { EndpointConfig, EndpointsConfig, ModelsConfig, ModelWindows } from '@parley/schema/catalog/startup';
import * as z from 'zod';
import { findUser } from '../auth/users.ts';
import { limitCalls } from '../abuse/call-limits.ts';
import { withServices } from '../http/trpc.ts';
import type { ModelMetadata } from '../providers/model-metadata.ts';
import type { ModelAccess } from './access/model-access.ts';
import type { Endpoint, Endpoints } from './endpoint.ts';
import { listEndpointStatus } from './endpoint-status.ts';
import { startupData } from './startup-data.ts';
import { countTokens, estimateTokens } from './count-tokens.ts';
import type { LiveEndpoints } from './live/live-endpoints.ts';
import type { Registration } from '../auth/registration/registration.ts';

const { protectedProcedure, publicProcedure, router } = withServices<{
  access: ModelAccess;
  endpoints: LiveEndpoints;
  registration: Registration;
}>();

/** Characters up to which texts are counted exactly; beyond that an estimate saves the tokenizer's time. */
const EXACT_MAX = 200_000;

export const endpointsRouter = router({
  /** Startup metadata that the app needs before sign-in. */
  startup: publicProcedure.query(({ ctx: { deps } }) => startupData(deps.config, deps.registration)),

  /** The endpoints on offer. */
  list: publicProcedure.query(async ({ ctx }): Promise<EndpointsConfig> =>
    Object.fromEntries(
      (await offeredTo(ctx.deps, ctx.signedIn?.userId ?? null)).map(({ name, type, config }) => [
        name,
        type === 'gptPlugins'
          ? { plugins: ctx.deps.config.plugins.names, ...config }
          : withoutOff(config, ctx.deps.config.tools.filter),
      ]),
    ),
  ),

  /** The models of each endpoint. */
  models: protectedProcedure.query(async ({ ctx }): Promise<ModelsConfig> => {
    const offered = await offeredTo(ctx.deps, ctx.user.id);
    const lists = offered.map(async ({ name, models }) => ({
      [name]: [...(await models(ctx.user.id))],
    }));
    return Object.assign({}, ...(await Promise.all(lists)));
  }),

  /** The context windows that providers report, in tokens; the others follow from the models' names. */
  windows: protectedProcedure.query(async ({ ctx }): Promise<ModelWindows> => {
    const { access } = ctx.deps;
    const offered = await offeredTo(ctx.deps, ctx.user.id);
    const lists = offered.map(async ({ name, fetched }) => {
      const known = await fetched(ctx.user.id);
      const theirs = new Set(await access.permitted(ctx.user.id, name, [...known.keys()]));
      return { [name]: windowsIn(new Map([...known].filter(([model]) => theirs.has(model)))) };
    });
    return Object.assign({}, ...(await Promise.all(lists)));
  }),

  /** The built-in endpoints, on offer or not, with the reason why some are not ready. Empty for who is no administrator. */
  readiness: protectedProcedure.query(async ({ ctx }) => {
    const user = await findUser(ctx.deps.db, ctx.user.id);
    return user?.role === 'ADMIN' ? listEndpointStatus(ctx.deps.endpoints) : [];
  }),

  /** The number of tokens of a text, as OpenAI's models count; an estimate for a very long one. */
  tokenCount: protectedProcedure
    .input(z.strictObject({ text: z.string().max(TEXT_MAX) }))
    .query(async ({ ctx, input: { text } }) => {
      await limitCalls(ctx, ctx.user.id, 'tokenCount');
      return { count: text.length > EXACT_MAX ? estimateTokens(text) : await countTokens(text) };
    }),
});

interface Offer {
  endpoints: Endpoints;
  access: ModelAccess;
}

/** The endpoints of which something is for this person; null for anyone who is not signed in. */
async function offeredTo({ endpoints, access }: Offer, userId: string | null): Promise<Endpoint[]> {
  const offered = await Promise.all(endpoints.list().map((endpoint) => isFor(endpoint)));
  return endpoints.list().filter((_, index) => offered[index]);

  async function isFor({ name, config, models }: Endpoint): Promise<boolean> {
    if (!access.concerns(name)) return true;
    if (!(await access.offers(userId, name))) return false;
    // A list that needs a key of theirs may be empty for another reason.
    return userId === null || config.userProvide === true || (await models(userId)).length > 0;
  }
}

/** Of assistants: what administrators switch off is none of their capabilities. */
function withoutOff(config: EndpointConfig, { offTools = [] }: { offTools?: readonly string[] }): EndpointConfig {
  const { capabilities } = config;
  if (!capabilities || offTools.length === 0) return config;
  return { ...config, capabilities: capabilities.filter((one) => !offTools.includes(one)) };
}

function windowsIn(fetched: ReadonlyMap<string, ModelMetadata>): Record<string, number> {
  return Object.fromEntries(
    [...fetched].flatMap(([model, { window }]) => (window === undefined ? [] : [[model, window]])),
  );
}
