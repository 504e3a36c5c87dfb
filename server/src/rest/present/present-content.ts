import { extname } from 'node:path';
import { writeBlock } from '@parley/schema/artifacts/add-version';
import { asFields, parseJson } from '@parley/schema/json';
import type { MessagePart, ToolCall, ToolOutput } from '@parley/schema/messages/messages';
import type { ContentPart, RestCall, RestImage, RestOutput } from '../shapes/content.ts';
import { withToolImages } from './tool-images.ts';

/** The content parts of a message that is more than text; null for plain text. The REST API has no reasoning parts. */
export function presentContent(parts: readonly MessagePart[]): ContentPart[] | null {
  const isMore = parts.some((part) => part.type !== 'text' && part.type !== 'reasoning');
  return isMore ? parts.flatMap(withToolImages).flatMap(presentPart) : null;
}

/** One part; none for those that clients find elsewhere. */
export function presentPart(part: MessagePart): ContentPart[] {
  switch (part.type) {
    case 'text':
      return [presentText(part.text)];
    case 'reasoning':
      return [];
    case 'tool_call':
      return [{ type: 'tool_call', tool_call: presentToolCall(part.call) }];
    case 'image':
      return [{ type: 'image_file', image_file: { ...imageOf(part), ...namedBy(part.path) } }];
    // Clients find attachments in the message's `files`.
    case 'file':
    case 'pending_picture':
      return [];
    case 'error':
      return [{ type: 'error', text: { value: part.text } }];
    default:
      return part satisfies never;
  }
}

export function presentText(value: string): ContentPart {
  return { type: 'text', text: { value } };
}

function presentToolCall(call: ToolCall): RestCall {
  const { id, kind, progress, name, input, from } = call;
  const output = outputOf(call);
  switch (kind) {
    case 'code_interpreter':
      return { id, type: kind, progress, code_interpreter: { input: codeOf(call), outputs: presentOutputs(call) } };
    case 'retrieval':
      return { id, type: kind, progress, retrieval: {} };
    case 'function':
      return {
        id,
        type: kind,
        progress,
        function: { name, arguments: input, ...(output !== null && { output }) },
        action: from?.source === 'action',
      };
    default:
      return kind satisfies never;
  }
}

/** What a call said. The version of an artifact that an edit made stands nowhere else: it follows as a block of code. */
function outputOf({ output, outputs }: ToolCall): string | null {
  const made = outputs?.find((one) => one.type === 'artifact');
  return made ? [output ?? '', writeBlock(made)].filter(Boolean).join('\n\n') : output;
}

/** The code itself. Our own tool has it in its arguments. */
function codeOf({ from, input }: ToolCall): string {
  if (!from) return input;
  // A model that was interrupted wrote what is no JSON.
  const { code } = asFields(parseJson(input));
  return typeof code === 'string' ? code : input;
}

/** What was printed, and images; clients find other files in the message's `files`. */
function presentOutputs({ output, outputs }: ToolCall): RestOutput[] {
  const told: ToolOutput[] = outputs ?? (output === null ? [] : [{ type: 'logs', text: output }]);
  return told.flatMap((one) => {
    if (one.type === 'file' || one.type === 'artifact' || one.type === 'memory') return [];
    return [one.type === 'logs' ? { type: 'logs', logs: one.text } : { type: 'image', image: imageOf(one) }];
  });
}

/** What the address of an image, `/images/{user}/{file}__{name}.{fmt}`, contains. */
function namedBy(path: string): Pick<RestImage, 'filename' | 'type' | 'object'> {
  const [address = ''] = path.split('?');
  const at = address.indexOf('__');
  const format = extname(address).slice(1);
  if (at < 0 || format === '') return {};
  return { filename: address.slice(at + 2), type: `image/${format === 'jpg' ? 'jpeg' : format}`, object: 'file' };
}

function imageOf({ fileId, path, width, height, prompt }: Extract<MessagePart, { type: 'image' }>): RestImage {
  return { file_id: fileId, filepath: path, width, height, ...(prompt !== undefined && { prompt }) };
}
