import type { ImportedSkill, SkillHead } from '@parley/schema/skills/skill-rules';
import { useTranslation } from 'react-i18next';
import { newId } from '../../lib/new-id.ts';
import { saveFile } from '../../lib/save-file.ts';
import { api, trpc } from '../../trpc.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { useShowError } from '../../ui/toast/use-show-error.ts';
import { useShowRemoved } from '../../ui/toast/use-show-removed.ts';
import { bytesFromBase64, readBase64 } from './base64.ts';

/** How long a list is shown without asking again, in milliseconds: other devices change it, too. */
const FRESH_MS = 10_000;

/** Own and shared skills without their instructions; undefined until loaded. */
export function useSkills() {
  return trpc.skills.list.useQuery(undefined, { staleTime: FRESH_MS });
}

/** Returns a function that reads skills again, and the tools that chats offer. */
export function useRereadSkills(): () => Promise<void> {
  const { skills, tools, assistants } = trpc.useUtils();
  return async () => {
    void tools.list.invalidate();
    void assistants.tools.invalidate();
    await skills.invalidate();
  };
}

/** Functions that change skills; a toast shows what fails. */
export function useChangeSkills() {
  const { t } = useTranslation();
  const reread = useRereadSkills();
  const showRemoved = useShowRemoved(reread);
  const options = { onSuccess: reread, onError: useShowError() } as const;
  const { mutate: remove } = trpc.skills.remove.useMutation({
    ...options,
    onSuccess: (deletionId) => {
      showRemoved(t('com_skills_removed'), deletionId);
      return reread();
    },
  });
  const { mutate: share } = trpc.skills.share.useMutation(options);
  return { remove, share };
}

/** Imports a ZIP file, and says what became of it. */
export function useImportSkill() {
  const { t } = useTranslation();
  const showError = useShowError();
  const reread = useRereadSkills();
  const { mutateAsync, isPending } = trpc.skills.importZip.useMutation();

  /** Returns the id of the skill; null where it was refused. */
  async function read(file: File): Promise<string | null> {
    try {
      const content = await readBase64(file);
      const imported = await mutateAsync({ id: newId(), content, fileName: file.name });
      await reread();
      showToast({ message: told(imported), severity: imported.isCut ? 'warning' : 'success', duration: 8000 });
      return imported.skill.id;
    } catch (error) {
      showError(error);
      return null;
    }
  }

  function told({ skill: { name }, renamedFrom, isCut }: ImportedSkill): string {
    if (isCut) return t('com_skills_imported_cut', { 0: name });
    return renamedFrom === null
      ? t('com_skills_imported', { 0: name })
      : t('com_skills_imported_renamed', { 0: name, 1: renamedFrom });
  }

  return { read, isPending };
}

/** Returns a function that downloads a skill as a ZIP file. */
export function useExportSkill(): (skill: Pick<SkillHead, 'ownerId' | 'id'>) => Promise<void> {
  const showError = useShowError();
  return async ({ ownerId, id }) => {
    try {
      const { fileName, content } = await api.skills.exportZip.query({ ownerId, id });
      saveFile(new Blob([bytesFromBase64(content)], { type: 'application/zip' }), fileName);
    } catch (error) {
      showError(error);
    }
  };
}
