import type { Schedule } from '@parley/schema/schedules/schedule-rules';
import { useSetAtom } from 'jotai';
import { navigate } from 'wouter/use-browser-location';
import { trpc } from '../trpc.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';
import { scheduleDraftsAtom } from './schedule-draft.ts';
import { SCHEDULES_PATH } from './schedule-paths.ts';

/** Of this person; the change feed has them read again. */
export function useSchedules() {
  return trpc.schedules.list.useQuery(undefined, { refetchOnMount: 'always' });
}

/** Saves one, and goes back to the list once `onSaved` has forgotten what was typed. */
export function useSaveSchedule(onSaved: () => void) {
  const { schedules } = trpc.useUtils();
  return trpc.schedules.save.useMutation({
    onSuccess: async () => {
      await schedules.invalidate();
      onSaved();
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
