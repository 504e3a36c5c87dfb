import { messageText } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';

let clients: HttpClients;
let alice: Browser;

beforeAll(async () => {
  clients = await openHttpClients();
  alice = await clients.signUp('alice');
});
afterAll(() => clients.close());

describe('a thread over HTTP', () => {
  it('is compressed when the browser accepts it, and is whole', async () => {
    const asked = await exchange(clients.services, alice.userId, question('[[long:60000]] Tell me everything'));
    const input = encodeURIComponent(JSON.stringify({ conversationId: asked.convo.conversationId }));
    const url = `http://${clients.host}/trpc/messages.list?input=${input}`;
    const headers = { authorization: `Bearer ${alice.token}` };
    const plain = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } });
    const short = await fetch(url, { headers: { ...headers, 'accept-encoding': 'gzip' } });
    expect([plain, short].map((answer) => answer.headers.get('content-encoding'))).toEqual([null, 'gzip']);
    const text = await short.text();
    expect(text).toBe(await plain.text());
    expect(text).toContain(JSON.stringify(messageText(asked.reply)).slice(1, 2000));
  });

  it.each(['accept', 'trpc-accept'])('is whole also as a stream of lines, asked for by %s', async (name) => {
    const asked = await exchange(clients.services, alice.userId, question('Line by line'));
    const { conversationId } = asked.convo;
    const given = encodeURIComponent(JSON.stringify({ 0: { conversationId } }));
    const headers = { authorization: `Bearer ${alice.token}`, [name]: 'application/jsonl' };
    const answer = await fetch(`http://${clients.host}/trpc/messages.list?batch=1&input=${given}`, { headers });
    expect(await answer.text()).toContain(JSON.stringify(messageText(asked.reply)));
    // A line may be a whole conversation, which would wait in the compressor.
    expect(answer.headers.get('content-encoding')).toBeNull();
  });

  it('is not compressed when it is short', async () => {
    const headers = { authorization: `Bearer ${alice.token}`, 'accept-encoding': 'gzip' };
    const answer = await fetch(`http://${clients.host}/trpc/auth.me`, { headers });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.status).toBe(200);
  });
});
