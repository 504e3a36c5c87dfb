import { IconPlus } from '@tabler/icons-react';
import { useAtom } from 'jotai';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../../errors/describe-error.ts';
import { focusIfLost } from '../../../lib/focus-if-lost.ts';
import { trpc } from '../../../trpc.ts';
import { Button } from '../../../ui/button.tsx';
import { SkeletonRows } from '../../../ui/skeleton/skeleton-rows.tsx';
import { Findable } from '../../search/findable.tsx';
import { NewKey } from './new-key.tsx';
import { keyBeingMadeAtom, NEW_DRAFT } from './program-key-draft.ts';
import { ProgramKeyForm } from './program-key-form.tsx';
import { ProgramKeyRow } from './program-key-row.tsx';
import { ProgramPaths } from './program-paths.tsx';
import classes from './program-keys.module.css';

/** The keys by which programs ask this server's models in the person's name. */
export function ProgramKeys() {
  const { t } = useTranslation();
  const words = ['com_program_keys', 'com_program_keys_hint', 'com_program_keys_new'] as const;
  return (
    <Findable words={words.map((key) => t(key)).join(' ')}>
      <section className={classes.section} aria-labelledby="program-keys-title">
        <h3 id="program-keys-title" className={classes.title}>
          {t('com_program_keys')}
        </h3>
        <p className={classes.hint}>{t('com_program_keys_hint')}</p>
        <MakeKey />
        <KeyList />
        <ProgramPaths />
      </section>
    </Findable>
  );
}

/** The button, then the form, then the key that was made. */
function MakeKey() {
  const { t } = useTranslation();
  const [made, setMade] = useAtom(keyBeingMadeAtom);
  if (made && 'secret' in made) return <NewKey secret={made.secret} onDone={() => setMade(null)} />;
  if (made) return <ProgramKeyForm draft={made} onChange={setMade} />;
  return (
    <Button ref={focusIfLost} size="sm" className={classes.make} onClick={() => setMade(NEW_DRAFT)}>
      <IconPlus aria-hidden />
      {t('com_program_keys_new')}
    </Button>
  );
}

function KeyList() {
  const { t } = useTranslation();
  const { data: keys, error, dataUpdatedAt } = trpc.apiKeys.list.useQuery(undefined, { staleTime: 0 });
  if (error) return <p className={classes.hint}>{describeError(error, t)}</p>;
  if (!keys) return <SkeletonRows count={2} />;
  if (keys.length === 0) return <p className={classes.hint}>{t('com_program_keys_none')}</p>;
  return (
    <ul className={classes.list}>
      {keys.map((key) => (
        <ProgramKeyRow key={key.id} apiKey={key} now={dataUpdatedAt} />
      ))}
    </ul>
  );
}
