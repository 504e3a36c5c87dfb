import { useCallback, useEffect, useState, type ComponentType } from 'react';
import { loadConvoList } from '../lazy/load-convo-list.ts';
import classes from './convo-list.module.css';
import { ListFailure } from '../../convos/list-failure.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';

/** All conversations. The list's code loads after the first paint: typing a message comes first. */
export function ConvoList() {
  const { Convos, hasFailed, load } = useConvosCode();
  if (Convos) return <Convos />;
  return (
    <div className={classes.list} aria-busy={!hasFailed}>
      {hasFailed ? <ListFailure onRetry={load} /> : <SkeletonRows count={8} />}
    </div>
  );
}

/** Not React.lazy, which keeps the fallback for 300 ms after the code has loaded. */
function useConvosCode() {
  const [Convos, setConvos] = useState<ComponentType | null>(null);
  const [hasFailed, setFailed] = useState(false);

  const load = useCallback(() => {
    setFailed(false);
    loadConvoList().then(
      (loaded) => setConvos(() => loaded),
      () => setFailed(true),
    );
  }, []);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(load);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [load]);

  return { Convos, hasFailed, load };
}
