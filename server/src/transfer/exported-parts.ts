// Converts message contents of exported files to parts.
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import {
  AssistantPart,
  AttachedFile,
  CodeOutput,
  ExportedPart,
  UsedPlugin,
  type ExportedMessage,
} from '@parley/schema/transfer/exported';
import { relinkPart, type FindFile } from './stored-links.ts';

/** Marks the use of a tool in the text of a plugin answer. */
const PLUGIN_MARK = /:::plugin:::\n?/;

export interface ReadParts {
  parts: MessagePart[];
  /** Number of parts that nothing could be read of. */
  unread: number;
}

/** The parts of a message: as Parley exports them, as an assistant's content, or as text with the plugins it used. */
export function readExportedParts(message: ExportedMessage, stored: FindFile = () => undefined): ReadParts {
  const list = message.parts ?? message.content ?? [];
  const read = list.map((part) => (message.parts ? readPart(part, stored) : readAssistantPart(part, stored)));
  const parts = read.flat();
  const unread = read.filter(({ length }) => length === 0).length;
  // A list that says nothing never hides the text.
  const said = parts.length > 0 ? parts : textParts(message);
  return { parts: [...said, ...fileParts(message, said, stored)], unread };
}

function textParts(message: ExportedMessage): MessagePart[] {
  const plugins = [...message.plugins, message.plugin].flatMap(readPlugin);
  const texts = plugins.length === 0 ? [message.text] : message.text.split(PLUGIN_MARK);
  const parts: MessagePart[] = [];
  for (const [index, text] of texts.entries()) {
    if (text !== '') parts.push({ type: 'text', text });
    const call = plugins[index];
    if (call) parts.push({ type: 'tool_call', call });
  }
  return parts;
}

/** Attached files: what is kept of them here, and the names of the others, whose bytes no export contains. */
function fileParts({ files, parts }: ExportedMessage, said: readonly MessagePart[], stored: FindFile): MessagePart[] {
  if (parts?.length) return [];
  const attached = files.flatMap((file) => AttachedFile.safeParse(file).data ?? []);
  const found = attached.flatMap(({ id }) => stored(id) ?? []);
  const names = attached.filter(({ id }) => !stored(id));
  const text = said.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const marks = names
    .map(({ name, isImage }) => `[${isImage ? 'image' : 'file'}: ${name}]`)
    .filter((mark) => !text.includes(mark));
  if (marks.length === 0) return found;
  // On a line of its own: the texts of a message are read as one.
  return [...found, { type: 'text', text: `${text === '' ? '' : '\n'}${marks.join('\n')}` }];
}

function readPart(value: unknown, stored: FindFile): MessagePart[] {
  const { data } = ExportedPart.safeParse(value);
  return data ? [relinkPart(data, stored)] : [];
}

function readAssistantPart(value: unknown, stored: FindFile): MessagePart[] {
  const { data } = AssistantPart.safeParse(value);
  if (!data) return [];
  switch (data.type) {
    case 'text':
    case 'error':
      return [{ type: data.type, text: data.text }];
    case 'think':
      return data.think === '' ? [] : [{ type: 'reasoning', text: data.think }];
    case 'image_file':
      // The export does not contain the image.
      return [
        stored(data.image_file.file_id) ?? {
          type: 'text',
          text: `[image: ${data.image_file.filename || data.image_file.file_id}]`,
        },
      ];
    case 'image_url':
      return [{ type: 'text', text: '[image]' }];
    case 'tool_call':
      return [{ type: 'tool_call', call: callOf(data.tool_call) }];
    default:
      return data satisfies never;
  }
}

function callOf(call: Extract<AssistantPart, { type: 'tool_call' }>['tool_call']): ToolCall {
  const { id, type, code_interpreter: code, function: called } = call;
  const own = call.name === undefined ? null : { name: call.name, arguments: call.args, output: call.output };
  if (code) {
    const output = code.outputs.map((one) => CodeOutput.safeParse(one).data?.logs ?? '').join('\n') || null;
    return { id, kind: 'code_interpreter', name: 'code_interpreter', input: code.input, output, progress: 1 };
  }
  // Newer versions write name, args and output without a function around them.
  const used = called ?? own;
  if (used) {
    const { name, arguments: input, output } = used;
    return { id, kind: 'function', name, input, output: output ?? null, progress: 1 };
  }
  return { id, kind: 'retrieval', name: type, input: '', output: null, progress: 1 };
}

function readPlugin(value: unknown): ToolCall[] {
  const { data } = UsedPlugin.safeParse(value);
  if (!data) return [];
  const { runId, latest, inputs, outputs } = data;
  const input = inputs.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
  return [{ id: runId, kind: 'function', name: latest, input, output: outputs ?? null, progress: 1 }];
}
