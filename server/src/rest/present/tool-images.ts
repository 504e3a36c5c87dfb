// Images that tools made, for clients that know them as parts of a message only.
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';

type ImagePart = Extract<MessagePart, { type: 'image' }>;

/** Tools that make pictures: in place of their call stands the image. */
const PAINTERS: ReadonlySet<string> = new Set(['dalle', 'dall-e', 'stable-diffusion']);

/** The part, or the parts that stand for it: images follow the call that made them. */
export function withToolImages(part: MessagePart): MessagePart[] {
  if (part.type !== 'tool_call') return [part];
  const images = imagesOf(part.call);
  if (images.length === 0) return [part];
  return PAINTERS.has(part.call.name) || PAINTERS.has(part.call.from?.id ?? '') ? images : [part, ...images];
}

/** The images of the code interpreter are among the outputs of its call. */
function imagesOf({ kind, outputs = [] }: ToolCall): ImagePart[] {
  if (kind === 'code_interpreter') return [];
  return outputs.filter((output): output is ImagePart => output.type === 'image');
}
