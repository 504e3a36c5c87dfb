import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/Popover.css';
import { Combobox, useCombobox } from '@mantine/core';
import { IconCheck, IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel, type Choice } from './choose.ts';
import classes from './endpoint-menu.module.css';
import { EndpointMark } from './marks.tsx';
import { countModels, groupsOf, searchGroups, type EndpointGroup } from './groups.ts';
import { useOffer } from './use-addressee.ts';

/** More options than this are searched, not scrolled through. */
const SEARCH_ABOVE = 10;

interface EndpointMenuProps {
  current: Choice;
  onPick: (choice: Choice) => void;
  onClose: () => void;
  /** The focus went elsewhere. */
  onLeave: () => void;
}

/** The open list of endpoints with their models, under whatever it is placed in. */
export function EndpointMenu({ current, onPick, onClose, onLeave }: EndpointMenuProps) {
  const { t } = useTranslation();
  const offer = useOffer();
  const [query, setQuery] = useState('');
  const listId = useId();
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const groups = offer ? groupsOf(offer) : [];
  const found = searchGroups(groups, query);
  const isSearchable = countModels(groups) > SEARCH_ABOVE;
  const choices = found.flatMap(({ endpoint, models }) => models.map((model) => ({ endpoint, model })));

  // What Enter would take is always in sight: the current model at first, then the best match.
  useEffect(() => {
    if (query === '') combobox.selectActiveOption();
    else combobox.selectFirstOption();
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [query]);

  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={340}
      dropdownPadding={0}
      withinPortal={false}
      onOptionSubmit={(value) => {
        const choice = choices.find((one) => valueOf(one) === value);
        if (choice) onPick(choice);
      }}
    >
      <Combobox.DropdownTarget>
        <span className={classes.target} />
      </Combobox.DropdownTarget>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Search
          className={isSearchable ? classes.search : classes.keysOnly}
          role="combobox"
          aria-expanded
          aria-controls={listId}
          autoFocus
          readOnly={!isSearchable}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onBlur={onLeave}
          placeholder={t('com_endpoint_search')}
          aria-label={isSearchable ? t('com_endpoint_search') : t('com_endpoint_menu')}
          leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
        />
        <Combobox.Options id={listId} className={classes.list} aria-label={t('com_endpoint_menu')}>
          {found.map((group) => (
            <Group key={group.endpoint} group={group} current={current} />
          ))}
          {found.length === 0 && <Combobox.Empty>{t('com_endpoint_nothing_found')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Group({ group, current }: { group: EndpointGroup; current: Choice }) {
  const { endpoint, type, models } = group;
  const label = (
    <span className={classes.label} data-testid={`endpoint-item-${endpoint}`}>
      <EndpointMark endpointType={type} endpoint={endpoint} model={null} size="small" />
      {endpointLabel(endpoint)}
    </span>
  );
  return (
    <Combobox.Group label={label}>
      {models.map((model) => {
        const isCurrent = current.endpoint === endpoint && current.model === model;
        return (
          <Combobox.Option key={model} value={valueOf({ endpoint, model })} active={isCurrent} className={classes.item}>
            <span>{model}</span>
            {isCurrent && <IconCheck size={16} stroke={1.6} aria-hidden />}
          </Combobox.Option>
        );
      })}
    </Combobox.Group>
  );
}

function valueOf({ endpoint, model }: Choice): string {
  return JSON.stringify([endpoint, model]);
}
