import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Popover.css';
import { Autocomplete } from '@mantine/core';
import { useDeferredValue, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorReason } from '../../errors/error-reason.ts';
import { trpc } from '../../trpc.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { fieldClasses } from '../../ui/fields/field-classes.ts';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';
import classes from './groups.module.css';
import { describeGroupError } from './use-group-action.ts';

const SUGGESTED = 8;

/** Puts somebody into a group: people are suggested by name and address, and an address can be typed. */
export function AddMemberForm({ groupId }: { groupId: string }) {
  const { t } = useTranslation();
  const { client, admin } = trpc.useUtils();
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const [added, setAdded] = useState('');
  const names = useSuggestions(text);

  async function add(email: string): Promise<void> {
    if (email === '' || isBusy) return;
    setBusy(true);
    setWrong(null);
    try {
      await client.admin.groups.addMember.mutate({ groupId, email });
      setText('');
      setAdded(t('com_groups_added', { 0: email }));
    } catch (error) {
      const isUnknown = errorReason(error)?.type === 'invalid_input';
      setWrong(isUnknown ? t('com_admin_budgets_no_person') : describeGroupError(error, t));
    }
    setBusy(false);
    void admin.groups.invalidate();
    void admin.audit.invalidate();
  }

  return (
    <form
      className={classes.add}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void add(text.trim());
      }}
    >
      <Autocomplete
        className={classes.field}
        classNames={fieldClasses}
        label={t('com_groups_add')}
        description={t('com_groups_add_hint')}
        value={text}
        data={[...names.keys()]}
        // The server has looked for them: by names, too.
        filter={({ options }) => options}
        renderOption={({ option: { value } }) => (
          <span className={classes.suggestion}>
            <bdi>{names.get(value)}</bdi>
            <bdi className={classes.address}>{value}</bdi>
          </span>
        )}
        error={wrong}
        maxLength={200}
        autoCapitalize="none"
        spellCheck={false}
        withScrollArea={false}
        onChange={(typed) => {
          setText(typed);
          setWrong(null);
        }}
        onOptionSubmit={(email) => void add(email)}
      />
      <BusyButton type="submit" isBusy={isBusy}>
        {t('com_people_add')}
      </BusyButton>
      <VisuallyHidden role="status">{added}</VisuallyHidden>
    </form>
  );
}

/** The names of people who are found by what is typed, by their addresses. */
function useSuggestions(text: string): ReadonlyMap<string, string> {
  const query = useDeferredValue(text.trim());
  const { data } = trpc.admin.people.list.useQuery(
    { query },
    { enabled: query !== '', placeholderData: (before) => before },
  );
  const people = query === '' ? [] : (data?.people ?? []);
  return new Map(people.slice(0, SUGGESTED).map(({ email, name }) => [email, name]));
}
