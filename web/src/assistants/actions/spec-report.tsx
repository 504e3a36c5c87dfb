import { useTranslation } from 'react-i18next';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import classes from '../builder/builder.module.css';
import { describeSpec, describeWarning, type SpecState } from './action-form.ts';

/** What was read of an OpenAPI document: a sentence, and its warnings. */
export function SpecReport({ spec: state }: { spec: SpecState }) {
  const { t } = useTranslation();
  if (state.status === 'empty') return null;
  if (state.status === 'reading') return <SkeletonRows count={1} />;
  if (state.status === 'refused') {
    return (
      <p className={classes.error} role="alert">
        {state.sentence}
      </p>
    );
  }
  const { status, warnings } = state.spec;
  return (
    <div className={classes.group}>
      <p className={status === 'valid' ? classes.valid : classes.error} role="status">
        {describeSpec(status, t)}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className={classes.help}>
          {describeWarning(warning, t)}
        </p>
      ))}
    </div>
  );
}
