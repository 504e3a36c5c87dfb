// What messages say of the files of an export, said of the files that were kept of it here.
import type { Attachment, ContextRecord, MessagePart } from '@parley/schema/messages/messages';

/** A file that is kept here, by its id in the export. */
export type FindFile = (fileId: string) => Attachment | undefined;

/** A part whose files, those of its citations and tools included, are the kept ones. Others stay mere names. */
export function relinkPart(part: MessagePart, kept: FindFile): MessagePart {
  switch (part.type) {
    case 'image':
    case 'file':
      return relinkFile(part, kept);
    case 'text':
      return part.citations ? { ...part, citations: part.citations.map((one) => relinkId(one, kept)) } : part;
    case 'tool_call': {
      const { outputs } = part.call;
      if (!outputs) return part;
      const own = outputs.map((output) => (output.type === 'logs' ? output : relinkFile(output, kept)));
      return { ...part, call: { ...part.call, outputs: own } };
    }
    case 'reasoning':
    case 'error':
      return part;
    default:
      return part satisfies never;
  }
}

export function relinkContext(context: ContextRecord, kept: FindFile): ContextRecord {
  return context.files ? { ...context, files: context.files.map((file) => relinkId(file, kept)) } : context;
}

function relinkFile(file: Attachment, kept: FindFile): Attachment {
  const found = kept(file.fileId);
  if (!found) return file;
  if (found.type !== 'image' || file.type !== 'image' || file.prompt === undefined) return found;
  return { ...found, prompt: file.prompt };
}

function relinkId<Named extends { fileId: string }>(named: Named, kept: FindFile): Named {
  return { ...named, fileId: kept(named.fileId)?.fileId ?? named.fileId };
}
