// What is taken out of the messages of tool servers, and how it arrives; `integration/mcp/nulls.test.ts` has the servers.
import { lenientResponse, textWithoutNulls, withoutNulls } from '@parley/server/mcp/lenient-wire';
import { describe, expect, it } from 'vitest';

const rpc = { jsonrpc: '2.0' };

describe('nulls', () => {
  it('stay inside arguments, schemas, structured content and the data of errors and logs', () => {
    const schema = { type: 'object', properties: { a: { enum: ['x', null], default: null } } };
    const data = { a: null, list: [null] };
    for (const message of [
      { ...rpc, id: 1, result: { tools: [{ name: 't', inputSchema: schema, outputSchema: schema }] } },
      { ...rpc, id: 1, result: { content: [], structuredContent: data } },
      { ...rpc, id: 1, error: { code: -1, message: 'x', data } },
      { ...rpc, method: 'notifications/message', params: { level: 'info', data } },
      { ...rpc, id: 7, method: 'sampling/createMessage', params: { arguments: data } },
    ])
      expect(withoutNulls(message)).toEqual(message);
  });

  it('are removed from notifications and requests', () => {
    const progress = { progressToken: 1, progress: 1, total: null, message: null };
    expect(withoutNulls({ ...rpc, id: null, method: 'notifications/progress', params: progress })).toEqual({
      ...rpc,
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 1 },
    });
    const ping = { ...rpc, id: 1, method: 'ping' };
    expect(withoutNulls([{ ...ping, params: null }])).toEqual([ping]);
  });

  it("are removed from an authorization server's answers", () => {
    const token = { access_token: 'a', token_type: 'Bearer', expires_in: null, refresh_token: null, scope: null };
    expect(JSON.parse(textWithoutNulls(JSON.stringify(token)))).toEqual({ access_token: 'a', token_type: 'Bearer' });
    const metadata = { issuer: 'i', scopes_supported: null, code_challenge_methods_supported: ['S256', null] };
    expect(withoutNulls(metadata)).toEqual({ issuer: 'i', code_challenge_methods_supported: ['S256'] });
  });

  it('leave a text as it is that is no JSON, or nested too deeply', () => {
    const deep = '['.repeat(200_000) + 'null' + ']'.repeat(200_000);
    for (const text of ['null is no message', '', '{"jsonrpc":', deep]) expect(textWithoutNulls(text)).toBe(text);
  });
});

describe('events', () => {
  it.each([1, 2, 5, 1000])('are read in pieces of %i bytes, whatever ends their lines', async (size) => {
    const answer = `{"jsonrpc":"2.0","id":1,"result":{"über":null,"a":1}}`;
    const given = `: hi\r\nid: 7\r\nretry: 5\r\ndata: ${answer}\r\n\r\nevent: x\ndata:plain\ndata: text\n\nid: 8\rdata\r\rdata: {"a":null}\n\n`;
    const bytes = Buffer.from(given);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new Uint8Array(piece));
        controller.close();
      },
    });
    const response = lenientResponse(new Response(body, { headers: { 'content-type': 'text/event-stream' } }), 1000);
    expect(await response.text()).toBe(
      ': hi\nid: 7\nretry: 5\ndata: {"jsonrpc":"2.0","id":1,"result":{"a":1}}\n\n' +
        'event: x\ndata: plain\ndata: text\n\nid: 8\ndata: \n\ndata: {}\n\n',
    );
  });
});
