// The minimal relay between a provider and a browser over a tRPC websocket: no sign-in, no database, one message per
// delta. Parley's costs are reported as a multiple of this.
import type { AddressInfo } from 'node:net';
import { initTRPC } from '@trpc/server';
import { applyWSSHandler } from '@trpc/server/adapters/ws';
import OpenAI from 'openai';
import { WebSocketServer } from 'ws';
import { serveHelper } from './child-process.ts';

let client: OpenAI | undefined;
const t = initTRPC.create();

const appRouter = t.router({
  relay: t.procedure
    .input((question) => String(question))
    .subscription(async function* ({ input, signal }) {
      const messages = [{ role: 'user' as const, content: input }];
      const stream = await client?.chat.completions.create({ model: 'gpt-4', messages, stream: true }, { signal });
      for await (const chunk of stream ?? []) {
        const text = chunk.choices[0]?.delta.content;
        if (text) yield text;
      }
    }),
});

const calls = {
  /** Starts the relay for the provider at `providerUrl` and returns its address. */
  async open(providerUrl: string): Promise<string> {
    client = new OpenAI({ baseURL: `${providerUrl}/v1`, apiKey: 'fake', maxRetries: 0 });
    const wss = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
    applyWSSHandler({ wss, router: appRouter });
    await new Promise((resolve) => wss.once('listening', resolve));
    return `http://127.0.0.1:${(wss.address() as AddressInfo).port}`;
  },
};
export type BareCalls = typeof calls;
serveHelper(calls);
