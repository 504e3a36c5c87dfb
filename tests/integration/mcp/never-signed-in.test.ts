// Servers that their person has not signed in to: the model asks for the sign-in when it needs them, and the answer goes
// on after it, or without it.
import { startFakeMcpServer, type FakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import { isLoopCall, messageText, type ToolCall } from '@parley/schema/messages/messages';
import { createEncryption } from '@parley/server/keys/encryption';
import { createServerFetch } from '@parley/server/mcp/fetch';
import { createMcpServers } from '@parley/server/mcp/servers';
import { createMcpTokenStore } from '@parley/server/mcp/tokens';
import { createEgress } from '@parley/server/platform/egress';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import type { Person } from '../../support/services.ts';
import { openMcp, type OpenMcp } from './open-mcp.ts';

const header = { name: 'X-Key', value: 'right' };

let byOAuth: FakeMcpServer;
let byHeader: FakeMcpServer;
let mcp: OpenMcp;

beforeAll(async () => {
  byOAuth = await startFakeMcpServer({ auth: { type: 'oauth' } });
  byHeader = await startFakeMcpServer({ auth: { type: 'header', ...header } });
  const servers = { Mail: { url: byOAuth.url, auth: 'oauth' } };
  mcp = await openMcp(servers, { EGRESS_ALLOWED_HOSTS: '127.0.0.1', OPENAI_MODELS: 'gpt-4' });
});
afterAll(async () => {
  await mcp.close();
  await byOAuth.close();
  await byHeader.close();
});

function callsOf({ reply }: Pick<FinalEvent, 'reply'>): ToolCall[] {
  return reply.parts.filter(isLoopCall).map(({ call }) => call);
}

function asking(text: string, server: string, name = 'mcp_Mail_sign_in_first'): AskInput {
  const settings = { tools: [`mcp:${server}`] };
  return question(`${text} [[call-tool:${name} {}]]`, { model: 'gpt-4', settings });
}

function decide(person: Person, { convo, reply }: FinalEvent, decision: Decision): Promise<FinalEvent> {
  const { messageId } = reply;
  return exchange(mcp.services, person.id, {
    ...question('', { model: 'gpt-4', settings: convo.settings }),
    conversationId: convo.conversationId,
    replyId: messageId,
    target: { kind: 'resume', messageId, decisions: { '0:0': decision } },
  });
}

/** As after the person has agreed at the authorization server. */
async function signIn({ id }: Person): Promise<void> {
  const { config, db, secrets } = mcp.services.deps;
  const encryption = createEncryption(secrets.credsKey, []);
  const server = await createMcpServers({ config, db, encryption }).find(id, 'Mail');
  const store = createMcpTokenStore({
    db,
    encryption,
    fetchOf: createServerFetch(config, createEgress(['127.0.0.1'])),
  });
  const account = { client: { client_id: 'x' }, discovery: { authorizationServerUrl: byOAuth.url }, resource: null };
  byOAuth.authorizations.accessTokens.add(`of ${id}`);
  await store.write(server, { accessToken: `of ${id}`, refreshToken: null, endsAt: null, account });
}

describe('a server that nobody signed in to', () => {
  it('can be switched on, and says where its person signs in', async () => {
    const listed = await mcp.bob.api.tools.list();
    expect(listed.find(({ key }) => key === 'mcp:Mail')).toMatchObject({
      unavailable: null,
      why: { type: 'service', reason: 'unauthorized' },
      signInUrl: expect.stringContaining('/api/connections/start?service=mcp%3AMail'),
    });
  });

  it('costs no notice where it is not needed', async () => {
    const input = question('Only words', { model: 'gpt-4', settings: { tools: ['mcp:Mail'] } });
    const final = await exchange(mcp.services, mcp.bob.id, input);
    expect(callsOf(final)).toEqual([]);
    expect(messageText(final.reply)).toContain('Only words');
    const next = await exchange(mcp.services, mcp.bob.id, followUp('More words', final, { model: 'gpt-4' }));
    expect(callsOf(next)).toEqual([]);
  });

  it('asks for the sign-in when its tools are needed, and is used after it, for this person alone', async () => {
    const final = await exchange(mcp.services, mcp.alice.id, asking('Read my mail', 'Mail'));
    expect(final.reply).toMatchObject({ finishReason: 'tool_calls', reason: null });
    expect(callsOf(final)).toMatchObject([
      {
        state: 'waiting',
        needs: 'sign_in',
        from: { label: 'Mail' },
        signInUrl: expect.stringContaining('/api/connections/start?service=mcp%3AMail'),
      },
    ]);
    const still = await decide(mcp.alice, final, 'allow');
    expect(callsOf(still)).toMatchObject([{ state: 'waiting', needs: 'sign_in' }]);

    await signIn(mcp.alice);
    const { reply } = await decide(mcp.alice, still, 'allow');
    expect(callsOf({ reply })).toMatchObject([{ state: 'done', output: expect.stringContaining('can be called now') }]);
    expect(messageText(reply)).toContain('That was it.');
    const requests = mcp.services.provider.requests.filter(isAskedAbout('Read my mail'));
    expect(JSON.stringify(requests.at(0)?.body)).not.toContain('mcp_Mail_echo');
    expect(JSON.stringify(requests.at(-1)?.body)).toContain('mcp_Mail_echo');

    expect((await mcp.toolsOf(mcp.alice, 'Mail')).names).not.toContain('mcp_Mail_sign_in_first');
    expect((await mcp.toolsOf(mcp.bob, 'Mail')).names).toEqual(['mcp_Mail_sign_in_first']);
  });

  it('is gone on without where its person declines', async () => {
    const final = await exchange(mcp.services, mcp.bob.id, asking('Read his mail', 'Mail'));
    const { reply } = await decide(mcp.bob, final, 'deny');
    expect(callsOf({ reply })).toMatchObject([{ state: 'denied' }]);
    expect(callsOf({ reply })[0]).not.toHaveProperty('tookMs');
    expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  });

  it('is asked for in the settings where a header lets people in', async () => {
    const wrong = { ...header, value: 'wrong' };
    const added = { name: 'Mine', url: byHeader.url, auth: 'header' as const, header: wrong };
    const { id } = await mcp.alice.api.mcp.add(added);
    const listed = await mcp.alice.api.tools.list();
    expect(listed.find(({ key }) => key === `mcp:${id}`)).toMatchObject({ unavailable: null, signInUrl: null });
    const final = await exchange(mcp.services, mcp.alice.id, asking('Use mine', id, 'mcp_Mine_sign_in_first'));
    expect(callsOf(final)).toMatchObject([{ state: 'waiting', needs: 'sign_in' }]);
    expect(callsOf(final)[0]).not.toHaveProperty('signInUrl');

    await mcp.alice.api.mcp.update({ id, header });
    const { reply } = await decide(mcp.alice, final, 'allow');
    expect(callsOf({ reply })).toMatchObject([{ state: 'done' }]);

    byHeader.forgetSessions();
    await mcp.alice.api.mcp.update({ id, header: wrong });
    const again = await mcp.call(mcp.alice, id, 'mcp_Mine_echo', { text: 'hi' });
    expect(again).toEqual({ type: 'needs', what: 'sign_in', url: null });
  });
});
