import type { Schedule } from '@parley/schema/schedules/schedule-rules';
import { useSetAtom, useStore } from 'jotai';
import { navigate } from 'wouter/use-browser-location';
import { trpc } from '../trpc.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';
import { scheduleDraftsAtom } from './schedule-draft.ts';
import { SCHEDULES_PATH } from './schedule-paths.ts';

/** Of this person; the change feed has them read again. */
export function useSchedules() {
  return trpc.schedules.list.useQuery(undefined, { refetchOnMount: 'always' });
}

/**
 * Saves one, forgets what was typed under `key`, and goes back to the list. What was typed since is not saved yet: it
 * stays, and so does the form.
 */
export function useSaveSchedule(key: string) {
  const { schedules } = trpc.useUtils();
  const store = useStore();
  const typed = () => JSON.stringify(store.get(scheduleDraftsAtom)[key]);
  return trpc.schedules.save.useMutation({
    onMutate: typed,
    onSuccess: async (_saved, _input, sent) => {
      await schedules.invalidate();
      if (typed() !== sent) return;
      store.set(scheduleDraftsAtom, key, null);
      navigate(SCHEDULES_PATH);
    },
  });
}

/** Functions that change a schedule; a toast shows what fails. */
export function useChangeSchedule({ id }: Pick<Schedule, 'id'>) {
  const { schedules } = trpc.useUtils();
  const onError = useShowError();
  const options = { onError, onSettled: () => schedules.invalidate() } as const;
  const pause = trpc.schedules.pause.useMutation(options);
  const resume = trpc.schedules.resume.useMutation(options);
  const runNow = trpc.schedules.runNow.useMutation(options);
  const remove = trpc.schedules.remove.useMutation(options);
  const setDraft = useSetAtom(scheduleDraftsAtom);
  return {
    pause: () => pause.mutate({ id }),
    resume: () => resume.mutate({ id }),
    runNow: () => runNow.mutate({ id }),
    remove: () => {
      setDraft(id, null);
      remove.mutate({ id });
    },
    isBusy: pause.isPending || resume.isPending || runNow.isPending || remove.isPending,
  };
}
