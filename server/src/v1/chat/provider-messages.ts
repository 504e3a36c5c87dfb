// The messages of a request as every provider takes them.
import type { ChatFile, ChatImage, ChatMessage, FinishedCall } from '../../providers/provider.ts';
import { refuseField } from '../api-error.ts';
import type { RequestMessage, RequestPart } from './chat-request.ts';

export interface ProviderMessages {
  /** All texts of the system and of the developer. */
  system: string;
  messages: ChatMessage[];
}

type Content = string | readonly RequestPart[] | null | undefined;

/** The types of pictures that all providers take. */
const IMAGE = /^data:(image\/(?:png|jpeg|gif|webp));base64,/;
const PDF = /^data:(application\/pdf);base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** @throws ApiError for a picture or a PDF that is not there whole, and for results without their call */
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

/** The text of a message, without its pictures and files. */
export function textIn(content: Content): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function questionOf(content: Content, index: number): ChatMessage {
  const parts = typeof content === 'string' ? [] : (content ?? []);
  const images = parts.flatMap((part) => imageIn(part, index));
  const files = parts.flatMap((part) => fileIn(part, index));
  return {
    role: 'user',
    content: textIn(content),
    ...(images.length > 0 && { images }),
    ...(files.length > 0 && { files }),
  };
}

function imageIn(part: RequestPart, index: number): ChatImage[] {
  if (part.type !== 'image_url') return [];
  const { url, detail = 'auto' } = part.image_url;
  const { mime, data } = dataIn(url, IMAGE, index, 'A picture is PNG, JPEG, GIF or WebP');
  return [{ mime, data, detail }];
}

function fileIn(part: RequestPart, index: number): ChatFile[] {
  if (part.type !== 'file') return [];
  const { filename: name = 'file.pdf', file_data: address } = part.file;
  const file = { name, ...dataIn(address, PDF, index, 'A file is a PDF') };
  // Some writers put a line before the mark of a PDF.
  if (!Buffer.from(file.data.slice(0, 1368), 'base64').includes('%PDF-'))
    refuseField(`messages[${index}].content`, `The file ${name} is no PDF.`);
  return [file];
}

/** `shape` finds the type in the beginning of an address. */
function dataIn(address: string, shape: RegExp, index: number, rule: string): { mime: string; data: string } {
  const [head, mime = ''] = shape.exec(address.slice(0, 64)) ?? [];
  const data = address.slice(head?.length ?? 0);
  if (head === undefined || !BASE64.test(data))
    refuseField(`messages[${index}].content`, `${rule}, sent as data: in base64 or by its https address.`);
  return { mime, data };
}

type Call = NonNullable<Extract<RequestMessage, { role: 'assistant' }>['tool_calls']>[number];

function callOf({ id, function: { name, arguments: input }, extra_content: extra }: Call): FinishedCall {
  const signature = extra === undefined ? {} : { signature: JSON.stringify(extra) };
  return { id, name, input, output: '', isError: false, ...signature };
}

function addResult(
  messages: readonly ChatMessage[],
  { tool_call_id: id, content, isError = false }: Extract<RequestMessage, { role: 'tool' }>,
  index: number,
): void {
  const call = messages.at(-1)?.calls?.find((one) => one.id === id);
  if (!call) refuseField(`messages[${index}]`, 'The result of a tool follows the message that called it.');
  Object.assign(call, { output: textIn(content), isError });
}
