// An assistant with an action of the fake API.
import { randomBytes } from 'node:crypto';
import { assistants } from '@parley/db/tables/assistants';
import { FAKE_API, startFakeApi, type FakeApi } from '@parley/scripts/fake-tools/api';
import type { ActionInput } from '@parley/schema/assistants/action-inputs';
import type { Action } from '@parley/schema/assistants/actions';
import type { ActionAuth } from '@parley/schema/assistants/assistants';
import { createActionSource } from '@parley/server/actions/source';
import { createActions, type Actions, type ActionsDeps } from '@parley/server/actions/actions';
import { createEncryption } from '@parley/server/keys/encryption';
import { createEgress } from '@parley/server/platform/egress';
import type { Tool, ToolOutcome, ToolSource } from '@parley/server/tools/tool';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

export interface Pets {
  services: TestServices;
  api: FakeApi;
  alice: Person;
  bob: Person;
  actions: Actions;
  source: ToolSource;
  close(): Promise<void>;
}

/** @param timeoutMs of calls */
export async function openPets(env: Record<string, string> = {}, timeoutMs?: number): Promise<Pets> {
  const api = await startFakeApi();
  const services = await openTestServices({ EGRESS_ALLOWED_HOSTS: api.host, ...env });
  const deps = { ...depsOf(services), ...(timeoutMs !== undefined && { timeoutMs }) };
  const actions = createActions(deps);
  return {
    services,
    api,
    alice: await services.as('alice'),
    bob: await services.as('bob'),
    actions,
    source: createActionSource(deps, actions),
    async close() {
      await services.close();
      await api.close();
    },
  };
}

function depsOf({ deps: { config, secrets, db, log } }: TestServices): ActionsDeps {
  const egress = createEgress(config.server.egressAllowedHosts);
  return { config, db, log, egress, encryption: createEncryption(secrets.credsKey, []) };
}

/** The same database under other rules of the operator. */
export function withRules(pets: Pets, rules: ActionsDeps['config']['actions']): Pets {
  const deps = depsOf(pets.services);
  const strict = { ...deps, config: { ...deps.config, actions: rules } };
  const actions = createActions(strict);
  return { ...pets, actions, source: createActionSource(strict, actions) };
}

export async function createAssistant({ deps }: TestServices, userId: string): Promise<string> {
  const id = `asst_${randomBytes(12).toString('hex')}`;
  await deps.db.query.insert(assistants).values({ userId, id, model: 'gpt-4' });
  return id;
}

/** What is saved to call the fake API with credentials of this kind. */
export function petsInput(api: FakeApi, auth: ActionAuth = { type: 'none' }, over: Partial<ActionInput> = {}) {
  const secrets =
    auth.type === 'oauth'
      ? { oauthClientId: FAKE_API.client.id, oauthClientSecret: FAKE_API.client.secret }
      : auth.type === 'service_http'
        ? { apiKey: FAKE_API.key }
        : {};
  return { rawSpec: JSON.stringify(api.document), auth, ...secrets, ...over } as ActionInput;
}

export function oauthOf(api: FakeApi, over: Partial<Extract<ActionAuth, { type: 'oauth' }>> = {}): ActionAuth {
  return {
    type: 'oauth',
    clientUrl: `${api.url}/oauth/token`,
    authorizationUrl: `${api.url}/oauth/authorize`,
    scope: FAKE_API.scope,
    tokenExchangeMethod: 'default_post',
    grant: 'client_credentials',
    ...over,
  };
}

export async function saveAction({ services, api, actions, alice }: Pets, auth?: ActionAuth): Promise<Action> {
  return actions.save(alice.id, await createAssistant(services, alice.id), petsInput(api, auth));
}

export async function toolsOf({ source, alice }: Pets, ...actionIds: string[]) {
  const keys = actionIds.map((id) => `action:${id}`);
  return source.tools({ userId: alice.id, convoId: 'convo', keys, files: [] });
}

/** Calls an operation as the model does. */
export async function callTool(
  pets: Pets,
  action: Action,
  operation: string,
  args: Record<string, unknown> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolOutcome> {
  const tool = await toolOf(pets, action, operation);
  const run = { userId: pets.alice.id, convoId: 'convo', generationId: 'generation', callId: '0:1', report() {} };
  return tool.run({ ...run, args, signal });
}

export async function toolOf(pets: Pets, action: Action, operation: string): Promise<Tool> {
  const { tools } = await toolsOf(pets, action.id);
  const tool = tools.find(({ name }) => name.startsWith(`${operation}_action_`));
  if (!tool) throw new Error(`There is no tool ${operation}`);
  return tool;
}
