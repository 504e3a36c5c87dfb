/** Bing's HTTP part: creates conversations. Their messages use a websocket, see bing-chat.ts. */
import { randomUUID } from 'node:crypto';
import { refuseWith } from '../respond.ts';
import { sendJson } from '../protocol.ts';
import type { Protocol } from '../protocol.ts';

export const bing: Protocol = {
  serves: (method, path) => method === 'GET' && path === '/turing/conversation/create',
  async respond(exchange) {
    const { headers } = exchange.request;
    const demanded = exchange.demanded();
    if (demanded && demanded.kind !== 'stream')
      return refuseWith(exchange, demanded, {
        refused: (refusal) => refusal,
        errorBody: ({ message }) => ({ message }),
      });
    if (!/(^|; )_U=[^;]/.test(headers.cookie ?? '') || !/Edg\//.test(headers['user-agent'] ?? ''))
      return sendJson(exchange.line, 200, { conversationId: null, clientId: null, result: unauthorized });
    const conversationId = `51D|BingProd|${randomUUID()}`;
    const signature = `sig+${randomUUID()}/=`;
    exchange.conversations.set(conversationId, signature);
    const body = {
      conversationId,
      clientId: `client-${exchange.request.id}`,
      result: { value: 'Success', message: null },
    };
    sendJson(exchange.line, 200, body, { 'x-sydney-encryptedconversationsignature': signature });
  },
};

const unauthorized = {
  value: 'UnauthorizedRequest',
  message: 'Sorry, you need to login first to access this service.',
};
