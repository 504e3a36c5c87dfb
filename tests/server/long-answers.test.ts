import { textOf } from '@parley/schema/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../support/exchange.ts';
import { openDoors, type Browser, type Doors } from './doors.ts';

let doors: Doors;
let alice: Browser;

beforeAll(async () => {
  doors = await openDoors();
  alice = await doors.enter('alice');
});
afterAll(() => doors.close());

describe('a thread over HTTP', () => {
  it('travels short where the browser takes it so, and is whole', async () => {
    const asked = await exchange(doors.rooms, alice.userId, question('[[long:60000]] Tell me everything'));
    const input = encodeURIComponent(JSON.stringify({ conversationId: asked.convo.conversationId }));
    const url = `http://${doors.host}/trpc/messages.list?input=${input}`;
    const headers = { authorization: `Bearer ${alice.token}` };
    const plain = await fetch(url, { headers: { ...headers, 'accept-encoding': 'identity' } });
    const short = await fetch(url, { headers: { ...headers, 'accept-encoding': 'gzip' } });
    expect([plain, short].map((answer) => answer.headers.get('content-encoding'))).toEqual([null, 'gzip']);
    const text = await short.text();
    expect(text).toBe(await plain.text());
    expect(text).toContain(JSON.stringify(textOf(asked.reply)).slice(1, 2000));
  });

  it('and what is short already stays as it is', async () => {
    const headers = { authorization: `Bearer ${alice.token}`, 'accept-encoding': 'gzip' };
    const answer = await fetch(`http://${doors.host}/trpc/auth.me`, { headers });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.status).toBe(200);
  });
});
