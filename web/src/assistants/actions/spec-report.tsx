import { useTranslation } from 'react-i18next';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import classes from '../builder/builder.module.css';
import { describeSpec, describeWarning, type SpecState } from './action-form.ts';

/** What was read of an OpenAPI document: a sentence, its warnings, and its operations. */
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
  const { status, warnings, operations } = state.spec;
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
      {operations.length > 0 && (
        <table className={classes.table} aria-label={t('com_actions_available')}>
          <thead>
            <tr>
              <th scope="col">{t('com_assistants_name')}</th>
              <th scope="col">{t('com_actions_method')}</th>
              <th scope="col">{t('com_actions_path')}</th>
            </tr>
          </thead>
          <tbody>
            {operations.map(({ name, method, path }) => (
              <tr key={name}>
                <td>{name}</td>
                <td>{method}</td>
                <td dir="ltr">{path}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
