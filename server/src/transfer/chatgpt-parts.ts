// Converts one node of a ChatGPT export to message parts. The file has no images or audio: file names stand for them.
import { cleanText } from '@parley/schema/clean-text';
import type { MessagePart } from '@parley/schema/messages/messages';
import { ChatGptAsset, type ChatGptContent, type ChatGptMessage } from '@parley/schema/transfer/chatgpt';

/** The tool that runs its input as code. */
const RUNS_CODE = 'python';
/** Maximum length of a code fence; no real code has more backticks in a row. */
const LONGEST_FENCE = 20;

/** Empty for a node without visible content. */
export function partsOfChatGpt({ author, content, recipient }: ChatGptMessage): MessagePart[] {
  const isCall = author.role === 'assistant' && recipient !== null && recipient !== 'all';
  const text = wordsOf(content);
  if (isCall) return text === '' ? [] : [toolCallOf(recipient, text)];
  switch (content.content_type) {
    case 'text':
    case 'multimodal_text':
    case 'tether_quote':
      return textPart(text);
    case 'code':
    case 'execution_output':
      return textPart(text === '' ? '' : fenced(text, content.language));
    case 'thoughts':
      return text === '' ? [] : [{ type: 'reasoning', text }];
    case 'system_error':
      return text === '' ? [] : [{ type: 'error', text }];
    default:
      // Instructions, memories and other hidden content.
      return [];
  }
}

/** Adds a tool's output to the last call of the answer. */
export function addOutput(parts: MessagePart[], message: ChatGptMessage): void {
  const last = parts.findLast((part) => part.type === 'tool_call');
  if (last?.type !== 'tool_call') return;
  const output = wordsOf(message.content);
  if (output !== '') last.call.output = last.call.output === null ? output : `${last.call.output}\n${output}`;
}

function wordsOf(content: ChatGptContent): string {
  switch (content.content_type) {
    case 'thoughts':
      return content.thoughts
        .map(({ summary, content: said }) => [summary, said].filter(Boolean).join('\n'))
        .join('\n\n');
    case 'tether_browsing_display':
      return content.result;
    default:
      return content.parts.length > 0 ? content.parts.map(wordsOfPart).filter(Boolean).join('\n') : content.text;
  }
}

function wordsOfPart(part: unknown): string {
  if (typeof part === 'string') return cleanText(part);
  const { data } = ChatGptAsset.safeParse(part);
  if (!data) return '';
  if (data.text !== '') return data.text;
  const kind = data.content_type?.includes('audio') ? 'audio' : 'image';
  return data.asset_pointer ? `[${kind}: ${data.asset_pointer}]` : '';
}

function toolCallOf(recipient: string, input: string): MessagePart {
  const kind = recipient === RUNS_CODE ? 'code_interpreter' : 'function';
  return { type: 'tool_call', call: { id: '', kind, name: recipient, input, output: null, progress: 1 } };
}

function textPart(text: string): MessagePart[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** Fences code with more backticks than any run within it. */
function fenced(code: string, language: string | null): string {
  let fence = '```';
  while (code.includes(fence) && fence.length < LONGEST_FENCE) fence += '`';
  const named = language !== null && /^[\w+#-]+$/.test(language) && language !== 'unknown' ? language : '';
  return `${fence}${named}\n${code}\n${fence}`;
}
