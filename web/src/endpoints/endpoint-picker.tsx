import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { withKeys } from '../layout/shortcuts.ts';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { usePopoverButton } from '../ui/menu/use-popover-button.ts';
import { answererName, type AssistantState } from './assistants/assistant-state.ts';
import { endpointLabel, type Catalog, type Choice } from '../catalog/choose-model.ts';
import classes from './endpoint-picker.module.css';
import { findSpec } from '../catalog/model-specs.ts';
import { useCatalog } from './use-catalog.ts';
import type { ModelTarget } from '../catalog/model-target.ts';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';

// The menu needs positioning and focus code that the first screen does not.
const menu = lazyScreen(async () => (await import('./endpoint-menu.tsx')).EndpointMenu, 'ahead');

/** The id of the picker that the shortcut opens. */
const OF_HEADER = 'new-conversation-menu';

const NOBODY: AssistantState = { status: 'unneeded' };

interface EndpointPickerProps {
  /** Undefined while loading, null if there is none. */
  modelTarget: ModelTarget | null | undefined;
  /** The assistant that answers, if there is one. */
  assistantState?: AssistantState;
  /** What is offered; by default everything. */
  catalog?: Catalog | undefined;
  /** What is picked, where that is not plain. */
  label?: string;
  /** Stands there where several models answer. */
  instead?: string | undefined;
  onPick: (choice: Choice) => void;
  /** Test id of the button; there may be more than one picker. */
  id?: string;
}

/** Shows the chat's assistant, or its model and endpoint; opens the list of them. */
export function EndpointPicker(props: EndpointPickerProps) {
  const { modelTarget, assistantState = NOBODY, catalog, label, instead, onPick, id } = props;
  const { t } = useTranslation();
  const specs = useCatalog()?.specs;
  const { isOpen, button, close, leave, handlers } = usePopoverButton();

  if (instead !== undefined) {
    return (
      <div className={classes.anchor}>
        <span id={id} className={`${classes.button} ${classes.still}`}>
          <span className="ellipsis">{instead}</span>
        </span>
      </div>
    );
  }
  if (!modelTarget)
    return <span className={classes.placeholder}>{modelTarget === null && t('com_endpoint_none')}</span>;
  const { name, about } = describeTarget(modelTarget, assistantState, specs);
  return (
    <div className={classes.anchor}>
      <button
        ref={button}
        id={id}
        type="button"
        className={classes.button}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        data-tooltip={t('com_endpoint_choose')}
        {...(id === OF_HEADER && withKeys('models'))}
        onPointerEnter={menu.preload}
        onFocus={menu.preload}
        {...handlers}
      >
        {label && <VisuallyHidden>{label}</VisuallyHidden>}
        <span className="ellipsis" data-tooltip={name} data-cut>
          {name}
        </span>
        {about !== null && (
          <span className={classes.endpoint} data-tooltip={about} data-cut>
            {about}
          </span>
        )}
        <IconChevronDown aria-hidden />
      </button>
      {isOpen && (
        <LazyBoundary onFailure={close}>
          <menu.Screen
            current={modelTarget}
            catalog={catalog}
            onClose={close}
            onLeave={leave}
            onPick={(choice) => {
              close();
              onPick(choice);
            }}
          />
        </LazyBoundary>
      )}
    </div>
  );
}

/** The name of what answers, and what is said beside it. */
function describeTarget(target: ModelTarget, assistantState: AssistantState, specs: Catalog['specs']) {
  const { endpoint, model } = target;
  const provider = endpointLabel(endpoint);
  if (assistantState.status !== 'unneeded') return { name: answererName(endpoint, assistantState), about: model };
  const spec = findSpec(specs, target);
  return { name: spec?.label ?? model ?? provider, about: spec || model === null ? null : provider };
}
