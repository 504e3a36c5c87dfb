import { useTranslation } from 'react-i18next';
import { useCatalog } from '../endpoints/use-catalog.ts';
import { trpc } from '../trpc.ts';
import { columnName } from './column-name.ts';
import classes from './my-comparisons.module.css';

/** Which models a person went on with, where answers stood side by side. */
export function MyComparisons() {
  const { t } = useTranslation();
  const specs = useCatalog()?.specs;
  const { data } = trpc.compare.mine.useQuery();
  if (!data) return null;
  return (
    <section className={classes.section} aria-label={t('com_compare_mine')}>
      <h3 className={classes.title}>{t('com_compare_mine')}</h3>
      <p className="hint">{t(data.length > 0 ? 'com_compare_mine_hint' : 'com_compare_mine_none')}</p>
      {data.length > 0 && (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('com_compare_model')}</th>
              <th scope="col">{t('com_compare_gone_on')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ endpoint, model, answers, chosen }) => (
              <tr key={`${endpoint} ${model}`}>
                <th scope="row" dir="auto">
                  {columnName({ endpoint, model }, specs)}
                </th>
                <td>{t('com_compare_chosen', { chosen, answers })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
