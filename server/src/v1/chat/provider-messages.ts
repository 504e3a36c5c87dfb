// The messages of a request as every provider takes them.
import type { ImageDetail } from '@parley/schema/catalog/image-tokens';
import type { ChatImage, ChatMessage, FinishedCall } from '../../providers/provider.ts';
import { refuseField } from '../api-error.ts';
import type { RequestMessage } from './chat-request.ts';

export interface ProviderMessages {
  /** All texts of the system and of the developer. */
  system: string;
  messages: ChatMessage[];
}

type Content = string | readonly Part[] | null | undefined;
type Part =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: ImageDetail | undefined } };

/** The types of pictures that all providers take. */
const IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** @throws ApiError for a picture by its address, which would be a call to it, and for results without their call */
export function providerMessages(given: readonly RequestMessage[]): ProviderMessages {
  const system: string[] = [];
  const messages: ChatMessage[] = [];
  for (const [index, message] of given.entries()) {
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(textIn(message.content));
        break;
      case 'user':
        messages.push(questionOf(message.content, index));
        break;
      case 'assistant':
        messages.push({
          role: 'assistant',
          content: textIn(message.content),
          ...((message.tool_calls ?? []).length > 0 && { calls: (message.tool_calls ?? []).map(callOf) }),
          ...(message.signatures && { signatures: message.signatures }),
        });
        break;
      case 'tool':
        addResult(messages, message, index);
        break;
      default:
        message satisfies never;
    }
  }
  return { system: system.filter((text) => text.trim() !== '').join('\n\n'), messages };
}

/** The text of a message, without its pictures. */
export function textIn(content: Content): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function questionOf(content: Content, index: number): ChatMessage {
  const images = typeof content === 'string' ? [] : (content ?? []).flatMap((part) => imageIn(part, index));
  return { role: 'user', content: textIn(content), ...(images.length > 0 && { images }) };
}

function imageIn(part: Part, index: number): ChatImage[] {
  if (part.type !== 'image_url') return [];
  const { url, detail = 'auto' } = part.image_url;
  const where = `messages[${index}].content`;
  const [head, mime = ''] = IMAGE.exec(url.slice(0, 64)) ?? [];
  if (head === undefined)
    refuseField(
      where,
      'A picture is sent as data: (PNG, JPEG, GIF or WebP in base64). This server fetches no address.',
    );
  const data = url.slice(head.length);
  if (!BASE64.test(data)) refuseField(where, 'This picture is no base64.');
  return [{ mime, data, detail }];
}

type Call = NonNullable<Extract<RequestMessage, { role: 'assistant' }>['tool_calls']>[number];

function callOf({ id, function: { name, arguments: input } }: Call): FinishedCall {
  return { id, name, input, output: '', isError: false };
}

function addResult(
  messages: readonly ChatMessage[],
  { tool_call_id: id, content }: Extract<RequestMessage, { role: 'tool' }>,
  index: number,
): void {
  const call = messages.at(-1)?.calls?.find((one) => one.id === id);
  if (!call) refuseField(`messages[${index}]`, 'The result of a tool follows the message that called it.');
  call.output = textIn(content);
}
