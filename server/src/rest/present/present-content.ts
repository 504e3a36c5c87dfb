import type { ImagePart, MessagePart, ToolCall, ToolOutput } from '@parley/schema/messages/messages';

/** The content parts of a message that is more than text; null for plain text. The REST API has no reasoning parts. */
export function presentContent(parts: readonly MessagePart[]): object[] | null {
  const isMore = parts.some((part) => part.type !== 'text' && part.type !== 'reasoning');
  return isMore ? parts.flatMap(presentPart) : null;
}

/** One part; none for those that clients find elsewhere. */
export function presentPart(part: MessagePart): object[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: { value: part.text } }];
    case 'reasoning':
      return [];
    case 'tool_call':
      return [{ type: 'tool_call', tool_call: presentToolCall(part.call) }];
    case 'image':
      return [{ type: 'image_file', image_file: imageOf(part) }];
    // Clients find attachments in the message's `files`.
    case 'file':
      return [];
    case 'error':
      return [{ type: 'error', text: { value: part.text } }];
    default:
      return part satisfies never;
  }
}

function presentToolCall({ id, kind, progress, name, input, output, outputs, from }: ToolCall): object {
  const base = { id, type: kind, progress };
  switch (kind) {
    case 'code_interpreter':
      return {
        ...base,
        code_interpreter: { input, outputs: outputs ? outputs.flatMap(presentOutput) : logsOf(output) },
      };
    case 'retrieval':
      return { ...base, retrieval: {} };
    case 'function':
      return {
        ...base,
        function: { name, arguments: input, ...(output !== null && { output }) },
        ...(from?.source === 'action' && { action: true }),
      };
    default:
      return kind satisfies never;
  }
}

function logsOf(output: string | null): object[] {
  return output === null ? [] : [{ type: 'logs', logs: output }];
}

function presentOutput(output: ToolOutput): object[] {
  switch (output.type) {
    case 'logs':
      return [{ type: 'logs', logs: output.text }];
    case 'image':
      return [{ type: 'image', image: imageOf(output) }];
    // The protocol has none; clients find it in the list of files.
    case 'file':
      return [];
    default:
      return output satisfies never;
  }
}

function imageOf({ fileId, path, width, height, prompt }: ImagePart): object {
  return { file_id: fileId, filepath: path, width, height, ...(prompt !== undefined && { prompt }) };
}
