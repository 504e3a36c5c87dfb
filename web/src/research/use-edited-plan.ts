import type { PlanStep, ShownPlan } from '@parley/schema/chat/research';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { trpc } from '../trpc.ts';

export type Edited = Pick<ShownPlan, 'steps' | 'budget'>;
export type Start = Edited & Pick<ShownPlan, 'version'> & { language: string };

/** The plan as it is changed here, until another device was faster: then it is that device's. */
export function useEditedPlan(messageId: string, shown: ShownPlan | null) {
  const { i18n } = useTranslation();
  const [edited, setEdited] = useState<Edited>(shown ?? { steps: [], budget: 1 });
  const [version, setVersion] = useState(shown?.version ?? 0);
  const [isChanged, setChanged] = useState(false);
  const edit = trpc.research.edit.useMutation();
  /** The version that the changes under way lead to. */
  const saving = useRef<Promise<number> | null>(null);
  if (shown && shown.version > version) {
    setVersion(shown.version);
    if (!isChanged) setEdited(shown);
  }
  return {
    edited,
    error: edit.error,
    change(next: Edited) {
      setEdited(next);
      setChanged(true);
    },
    /** Keeps what was changed. */
    keep: () => isChanged && save(edited),
    keepNow(next: Edited) {
      setEdited(next);
      save(next);
    },
    /** Calls `start` once all changes are kept; not where one of them was refused. */
    begin(start: (plan: Start) => void) {
      const plan = cleaned(edited);
      const kept = saving.current ?? Promise.resolve(version);
      void kept.then((at) => start({ version: at, ...plan, language: i18n.language })).catch(() => undefined);
    },
  };

  /** One after the other: each is a change of the version before it. */
  function save(next: Edited): void {
    const kept = cleaned(next);
    if (kept.steps.length === 0) return;
    setChanged(false);
    const before = saving.current ?? Promise.resolve(version);
    const saved = before.then(async (at) => {
      const { version: now } = await edit.mutateAsync({ messageId, version: at, ...kept });
      setVersion((known) => Math.max(known, now));
      return now;
    });
    saving.current = saved;
    const forget = () => {
      if (saving.current === saved) saving.current = null;
    };
    saved.then(forget, forget);
  }
}

/** Without questions that nobody has written. */
function cleaned({ steps, budget }: Edited): Edited {
  const written = steps.filter(({ question }) => question.trim() !== '');
  return {
    steps: written.map(({ id, question, why }): PlanStep => ({ id, question, why })),
    budget: Math.max(1, budget),
  };
}
