import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { usePopoverButton } from '../ui/menu/use-popover-button.ts';
import { endpointLabel, type Choice } from '../catalog/choose-model.ts';
import classes from './endpoint-picker.module.css';
import { findSpec } from '../catalog/model-specs.ts';
import { useCatalog } from './use-catalog.ts';
import type { ModelTarget } from '../catalog/model-target.ts';

// The menu needs positioning and focus code that the first screen does not.
const menu = lazyScreen(async () => (await import('./endpoint-menu.tsx')).EndpointMenu, 'ahead');

interface EndpointPickerProps {
  /** Undefined while loading, null if there is none. */
  modelTarget: ModelTarget | null | undefined;
  onPick: (choice: Choice) => void;
  /** Test id of the button; there may be more than one picker. */
  id?: string;
}

/** Shows the chat's endpoint and model; opens the list of them. */
export function EndpointPicker({ modelTarget, onPick, id }: EndpointPickerProps) {
  const { t } = useTranslation();
  const specs = useCatalog()?.specs;
  const { isOpen, button, close, leave, handlers } = usePopoverButton();

  if (!modelTarget)
    return <span className={classes.placeholder}>{modelTarget === null && t('com_endpoint_none')}</span>;
  const endpoint = endpointLabel(modelTarget.endpoint);
  const spec = findSpec(specs, modelTarget);
  const name = spec?.label ?? modelTarget.model ?? endpoint;
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
        onPointerEnter={menu.preload}
        onFocus={menu.preload}
        {...handlers}
      >
        <span className={classes.model} data-tooltip={name} data-cut>
          {name}
        </span>
        {modelTarget.model !== null && !spec && (
          <span className={classes.endpoint} data-tooltip={endpoint} data-cut>
            {endpoint}
          </span>
        )}
        <IconChevronDown aria-hidden />
      </button>
      {isOpen && (
        <LazyBoundary onFailure={close}>
          <menu.Screen
            current={modelTarget}
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
