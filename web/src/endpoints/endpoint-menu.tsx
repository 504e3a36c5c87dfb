import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Popover.css';
import { Combobox, useCombobox } from '@mantine/core';
import { IconColumns, IconBulb, IconEye, IconTool } from '@tabler/icons-react';
import { useAtomValue, useSetAtom } from 'jotai';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import { chooseEndpoint, type Catalog, type Choice, endpointLabel } from '../catalog/choose-model.ts';
import popover from '../ui/menu/anchored-popover.module.css';
import pickerList from '../ui/menu/picker-list.module.css';
import classes from './endpoint-menu.module.css';
import { lastChoicesAtom } from '../catalog/last-choices.ts';
import { ModelOptions } from './model-options.tsx';
import { SpecOptions } from './specs/spec-options.tsx';
import { takesKey } from '../keys/key-state.ts';
import { comparePickAtom } from '../slots/compare-pick.ts';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { Button } from '../ui/button.tsx';
import { PickerField } from '../ui/menu/picker-field.tsx';
import { useSelectBestMatch } from './use-select-best-match.ts';
import { useNoteUse } from './use-kept-models.ts';
import { useMenuSearch } from './use-menu-search.ts';
import { Link } from 'wouter';
import { ADD_PROVIDER_PATH } from '../catalog/provider-paths.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { trpc } from '../trpc.ts';
import { describeOff } from './describe-off.ts';

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
  const memory = useAtomValue(lastChoicesAtom);
  const { catalog, specs, models, assistants, choiceOf, best } = useMenuSearch(offered, current);
  const { pick, setKey } = useMenuActions({ onPick, onClose });
  const listId = useId();
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const markedFor = useSelectBestMatch(combobox, models.searchedFor, models.favourites);

  /** Enter picks an option; Shift+Enter toggles it as a favourite; Alt+Enter sets its endpoint's key. */
  function onKeyDown(event: KeyboardEvent): void {
    const isPlain = !event.shiftKey && !event.altKey;
    // The Combobox picks the marked option, unless the mark lags behind the typing.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || (isPlain && markedFor.current === models.query))
      return;
    event.preventDefault();
    event.stopPropagation();
    if (isPlain) return pick(best());
    // The specs stand above the models.
    const option = models.list.options[combobox.getSelectedOptionIndex() - specs.found.length];
    if (option && event.shiftKey) models.turnFavourite(option);
    else if (option && takesKey(catalog?.endpoints[option.endpoint])) setKey(option.endpoint);
  }

  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={480}
      dropdownPadding={0}
      withinPortal={false}
      onOptionSubmit={(value) => pick(choiceOf(value))}
    >
      <Anchor />
      <Combobox.Dropdown className={pickerList.dropdown}>
        <Combobox.EventsTarget>
          <PickerField
            listId={listId}
            isSeen={specs.isSearchNeeded}
            value={models.query}
            onChange={(event) => models.setQuery(event.currentTarget.value)}
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
            list={models.list}
            assistants={assistants.assistants}
            current={assistants.current}
            hasOthers={specs.found.length > 0}
            onStar={models.turnFavourite}
            onSetKey={setKey}
            onPickEndpoint={(endpoint) => catalog && onPick(chooseEndpoint(endpoint, catalog, memory))}
          />
        </Combobox.Options>
        <MenuFooter hasCompare={!offered} hasKeys={models.hasKeys} onClose={onClose} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** One row: another model for the question being written, and on demand what the marks mean, the keys do and is off. */
function MenuFooter({ hasCompare, hasKeys, onClose }: { hasCompare: boolean; hasKeys: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const [isExplained, setExplained] = useState(false);
  return (
    // A press keeps the focus in the field, or the list would close before the click.
    <div className={classes.footer} onPointerDown={(event) => event.preventDefault()}>
      {hasCompare && <CompareButton onClose={onClose} />}
      <Button
        className={classes.explain}
        size="sm"
        variant="subtle"
        aria-expanded={isExplained}
        onClick={() => setExplained(!isExplained)}
      >
        {t('com_endpoint_explain')}
      </Button>
      {isExplained && (
        <div className={classes.hint}>
          <MarksLegend />
          <p className={classes.keys}>
            {t('com_endpoint_favourite_hint')}
            {hasKeys && <span>{t('com_endpoint_key_hint')}</span>}
          </p>
          <OffEndpoints />
        </div>
      )}
    </div>
  );
}

/** Leads to a further model for the question being written. */
function CompareButton({ onClose }: Pick<EndpointMenuProps, 'onClose'>) {
  const { t } = useTranslation();
  const compare = useSetAtom(comparePickAtom);
  function pick(): void {
    onClose();
    compare(true);
  }
  return (
    <Button size="sm" variant="subtle" onClick={pick}>
      <IconColumns aria-hidden />
      {t('com_compare_with')}
    </Button>
  );
}

function Anchor() {
  return (
    <Combobox.DropdownTarget>
      <span className={popover.target} />
    </Combobox.DropdownTarget>
  );
}

function useMenuActions({ onPick, onClose }: Pick<EndpointMenuProps, 'onPick' | 'onClose'>) {
  const showDialog = useShowDialog();
  const noteUse = useNoteUse();

  /** Null is the option that makes a new assistant. */
  function pick(choice: Choice | null | undefined): void {
    if (choice) {
      const { endpoint, model, settings } = choice;
      const picked = settings?.assistant_id ?? model;
      if (typeof picked === 'string') noteUse({ endpoint, model: picked });
      return onPick(choice);
    }
    if (choice === undefined) return;
    onClose();
    navigate('/assistants/new');
  }

  function setKey(endpoint: string): void {
    onClose();
    showDialog({ name: 'key', endpoint });
  }

  return { pick, setKey };
}

/** What the marks of models mean, for who sees them: the options say it in words. */
function MarksLegend() {
  const { t } = useTranslation();
  return (
    <p className={classes.legend} aria-hidden>
      <Meaning column="images" sign={<IconEye />}>
        {t('com_endpoint_vision')}
      </Meaning>
      <Meaning column="tools" sign={<IconTool />}>
        {t('com_endpoint_tools')}
      </Meaning>
      <Meaning column="thinking" sign={<IconBulb />}>
        {t('com_endpoint_thinks')}
      </Meaning>
      <Meaning column="price" sign="$">
        {t('com_endpoint_price')}
      </Meaning>
    </p>
  );
}

function Meaning({ column, sign, children }: { column: string; sign: ReactNode; children: string }) {
  return (
    <span className={classes.meaning} data-column={column}>
      {typeof sign === 'string' ? <span>{sign}</span> : sign}
      {children}
    </span>
  );
}

/** For administrators: the endpoints this server does not offer, and why. */
function OffEndpoints() {
  const { t } = useTranslation();
  const isOperator = useIsOperator();
  const { data } = trpc.endpoints.readiness.useQuery(undefined, { staleTime: Infinity, enabled: isOperator });
  const off = data?.filter(({ state }) => state === 'off') ?? [];
  if (!isOperator || off.length === 0) return null;
  return (
    <div className={classes.off}>
      {t('com_endpoint_off')}
      <ul>
        {off.map(({ endpoint, why }) => (
          <li key={endpoint}>
            {t('com_endpoint_off_because', { 0: endpointLabel(endpoint), 1: describeOff(why ?? '', t) })}
          </li>
        ))}
      </ul>
      <Link href={ADD_PROVIDER_PATH}>{t('com_landing_add_provider')}</Link>
    </div>
  );
}
