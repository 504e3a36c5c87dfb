import { useCallback, useEffect, useState, type ComponentType } from 'react';
import classes from './convo-list.module.css';
import { ListFailure, SkeletonRows } from './list-states.tsx';

/** All conversations. What draws them is fetched after the first picture: one can write before one can look back. */
export function ConvoList() {
  const { Convos, hasFailed, load } = useConvosCode();
  if (Convos) return <Convos />;
  return (
    <div className={classes.list} aria-busy={!hasFailed}>
      {hasFailed ? <ListFailure onRetry={load} /> : <SkeletonRows count={8} />}
    </div>
  );
}

/** Not React.lazy, which would show what has arrived only 300 ms after its stand-in. */
function useConvosCode() {
  const [Convos, setConvos] = useState<ComponentType | null>(null);
  const [hasFailed, setFailed] = useState(false);

  const load = useCallback(() => {
    setFailed(false);
    import('./convos.tsx').then(
      (room) => setConvos(() => room.Convos),
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
