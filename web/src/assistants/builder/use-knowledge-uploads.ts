import type { Assistant } from '@parley/schema/assistants/assistants';
import { putAssistant } from '../../endpoints/assistants/use-assistants.ts';
import type { TypedFile } from '../../files/upload/check-files.ts';
import { useUploads } from '../../files/upload/use-uploads.ts';
import { api } from '../../trpc.ts';

/** Uploads files that join an assistant as they are stored. */
export function useKnowledgeUploads() {
  const { uploads, check, uploadAll } = useUploads('assistants');
  return { uploads, check, join };

  /** `searches` is whether the assistant is to search its files, without which they would be of no use to it. */
  async function join(assistant: Assistant, files: readonly TypedFile<File>[], searches: boolean): Promise<void> {
    const { assistantId, tools } = assistant;
    const needsSearch = searches && !tools.some(({ type }) => type === 'retrieval');
    await uploadAll(files, {
      assistantId,
      whenStored: async () =>
        putAssistant(
          needsSearch
            ? await api.assistants.update.mutate({ assistantId, tools: [...tools, { type: 'retrieval' }] })
            : await api.assistants.get.query({ assistantId }),
        ),
    });
  }
}
