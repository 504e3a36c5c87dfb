import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Popover.css';
import { Combobox, useCombobox } from '@mantine/core';
import { useAtomValue } from 'jotai';
import { useId, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { chooseEndpoint, type Catalog, type Choice } from '../catalog/choose-model.ts';
import popover from '../ui/menu/anchored-popover.module.css';
import pickerList from '../ui/menu/picker-list.module.css';
import classes from './endpoint-menu.module.css';
import type { ModelRef } from '../catalog/model-groups.ts';
import { lastChoicesAtom } from '../catalog/last-choices.ts';
import { ModelOptions, optionOf } from './model-options.tsx';
import { OffEndpoints } from './off-endpoints.tsx';
import { SpecOptions, specChoiceOf, useBesideSpecs, useSpecSearch } from './specs/spec-options.tsx';
import { takesKey } from '../keys/key-state.ts';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { trpc } from '../trpc.ts';
import { PickerField } from '../ui/menu/picker-field.tsx';
import { useCatalog } from './use-catalog.ts';
import { useSelectBestMatch } from './use-select-best-match.ts';
import { useAssistantOptions } from './assistants/use-assistant-options.ts';
import { useModelSearch } from './use-model-search.ts';

interface EndpointMenuProps {
  current: Choice;
  /** What is offered; by default everything. */
  catalog?: Catalog | undefined;
  onPick: (choice: Choice) => void;
  onClose: () => void;
  /** The focus moved elsewhere. */
  onLeave: () => void;
}

/** The open list of endpoints and models, below its anchor. */
export function EndpointMenu({ current, catalog: offered, onPick, onClose, onLeave }: EndpointMenuProps) {
  const { t } = useTranslation();
  const all = useCatalog();
  const catalog = offered ?? all;
  const windows = trpc.endpoints.windows.useQuery(undefined, { staleTime: Infinity }).data;
  const memory = useAtomValue(lastChoicesAtom);
  const beside = useBesideSpecs(catalog);
  const { assistants, names, ref, choiceOf } = useAssistantOptions(offered ? undefined : beside, current);
  const searched = useModelSearch(beside, { names, current: ref });
  const { query, setQuery, found, options, favourites, turnFavourite, ...search } = searched;
  const specs = useSpecSearch(catalog, query, search);
  const { pick, setKey } = useMenuActions({ choiceOf, onPick, onClose });
  const listId = useId();
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const markedFor = useSelectBestMatch(combobox, search.searchedFor, favourites);

  /** Enter picks an option; Shift+Enter toggles it as a favourite; Alt+Enter sets its endpoint's key. */
  function onKeyDown(event: KeyboardEvent): void {
    const isPlain = !event.shiftKey && !event.altKey;
    // The Combobox picks the marked option, unless the mark lags behind the typing.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || (isPlain && markedFor.current === query)) return;
    event.preventDefault();
    event.stopPropagation();
    const spec = isPlain ? specs.best() : undefined;
    if (spec) return onPick(spec);
    if (isPlain) return pick(search.best());
    // The specs stand above the models.
    const option = options[combobox.getSelectedOptionIndex() - specs.found.length];
    if (option && event.shiftKey) turnFavourite(option);
    else if (option && takesKey(catalog?.endpoints[option.endpoint])) setKey(option.endpoint);
  }

  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={400}
      dropdownPadding={0}
      withinPortal={false}
      onOptionSubmit={(value) => {
        const choice = specChoiceOf(catalog, value);
        if (choice) onPick(choice);
        else pick(optionOf(options, value));
      }}
    >
      <Anchor />
      <Combobox.Dropdown className={pickerList.dropdown}>
        <Combobox.EventsTarget>
          <PickerField
            listId={listId}
            isSeen={specs.isSearchNeeded}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
            // Before the Combobox handles the key.
            onKeyDownCapture={onKeyDown}
            onBlur={onLeave}
            placeholder={t('com_endpoint_search')}
            label={specs.isSearchNeeded ? t('com_endpoint_search') : t('com_endpoint_menu')}
          />
        </Combobox.EventsTarget>
        <Combobox.Options id={listId} className={pickerList.options} aria-label={t('com_endpoint_menu')}>
          {catalog?.specs && <SpecOptions found={specs.found} catalog={catalog} current={current} />}
          <ModelOptions
            groups={found}
            starred={search.starred}
            assistants={assistants}
            windows={windows}
            current={ref}
            hasOthers={specs.found.length > 0}
            onStar={turnFavourite}
            onSetKey={setKey}
            onPickEndpoint={(endpoint) => catalog && onPick(chooseEndpoint(endpoint, catalog, memory))}
          />
        </Combobox.Options>
        <OffEndpoints />
        {options.length > 0 && <KeyHints hasKeys={search.hasKeys} />}
      </Combobox.Dropdown>
    </Combobox>
  );
}

function KeyHints({ hasKeys }: { hasKeys: boolean }) {
  const { t } = useTranslation();
  return (
    <p className={classes.hint}>
      {t('com_endpoint_favourite_hint')}
      {hasKeys && <span>{t('com_endpoint_key_hint')}</span>}
    </p>
  );
}

function Anchor() {
  return (
    <Combobox.DropdownTarget>
      <span className={popover.target} />
    </Combobox.DropdownTarget>
  );
}

interface MenuActions extends Pick<EndpointMenuProps, 'onPick' | 'onClose'> {
  choiceOf: (option: ModelRef) => Choice | null;
}

function useMenuActions({ choiceOf, onPick, onClose }: MenuActions) {
  const showDialog = useShowDialog();

  function pick(option: ModelRef | undefined): void {
    if (!option) return;
    const choice = choiceOf(option);
    if (choice) return onPick(choice);
    onClose();
    navigate('/assistants/new');
  }

  function setKey(endpoint: string): void {
    onClose();
    showDialog({ name: 'key', endpoint });
  }

  return { pick, setKey };
}
