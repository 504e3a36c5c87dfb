// REST paths for endpoints and models (docs/rest-compat.md, Endpoints and models).
import * as z from 'zod';
import type { Api } from '../../router.ts';
import { presentEndpoints, presentModels } from '../present/present-endpoints.ts';
import { asJson } from '../responses.ts';
import { EndpointsByName, ModelsByEndpoint, Startup, TokenCount } from '../shapes/catalogue.ts';
import { authed, byKey, public_, type Call } from '../route.ts';

const Text = z.object({ text: z.string() }).transform(({ text }) => text);
const Tokenizer = z.object({ arg: z.union([z.string(), Text], 'arg must be a string') });

export const catalogueRoutes = [
  public_('GET', '/api/config', startup, {
    summary: 'What clients must know before anybody signs in',
    answers: {
      200: asJson('`interface`, `customFooter` and `openidImageUrl` are there only where they are set.', Startup),
    },
  }),
  public_('GET', '/api/endpoints', async (api) => presentEndpoints(await api.endpoints.list()), {
    summary: 'The endpoints on offer',
    answers: { 200: asJson('Entries by name.', EndpointsByName) },
    ...byKey,
  }),
  public_('GET', '/api/endpoints/config/override', () => false as const, {
    summary: 'Whether the endpoints are overridden',
    answers: { 200: asJson('Never.', z.literal(false)) },
  }),
  authed('GET', '/api/models', models, {
    summary: 'The models of each endpoint',
    answers: { 200: asJson('Lists of models by the name of the endpoint.', ModelsByEndpoint) },
    ...byKey,
  }),
  authed('POST', '/api/tokenizer', countTokens, {
    summary: 'Counts the tokens of a text',
    description: 'Above 200 000 characters the count is an estimate.',
    body: z.union([Tokenizer, Text]),
    answers: { 200: asJson('The count.', TokenCount) },
    ...byKey,
  }),
];

/** Parley's own page takes what is not said for on; these clients take it for off. */
async function startup(api: Api) {
  return { sharedLinksEnabled: true, passwordResetEnabled: true, ...(await api.endpoints.startup()) };
}

async function models(api: Api) {
  const [all, endpoints] = await Promise.all([api.endpoints.models(), api.endpoints.list()]);
  return presentModels(all, endpoints);
}

/** Clients send the text as `arg`, within it, or by its own name. */
async function countTokens(api: Api, { body }: Call) {
  return api.endpoints.tokenCount({ text: Text.safeParse(body).data ?? Tokenizer.parse(body).arg });
}
