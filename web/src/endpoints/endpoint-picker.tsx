import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Arriving } from '../lib/arriving.tsx';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import { useOpener } from '../lib/use-opener.ts';
import { endpointLabel, type Choice } from './choose.ts';
import classes from './endpoint-picker.module.css';
import type { Addressee } from './use-addressee.ts';

// The menu needs positioning and focus code that the first screen can do without.
const menu = lazyScreen(async () => (await import('./endpoint-menu.tsx')).EndpointMenu, 'ahead');

interface EndpointPickerProps {
  /** Undefined while it is not known, null when there is none. */
  addressee: Addressee | null | undefined;
  onPick: (choice: Choice) => void;
  /** Of the button; there may be more than one picker. */
  id?: string;
}

/** Shows whom the chat talks to; opens the list of endpoints and models. */
export function EndpointPicker({ addressee, onPick, id }: EndpointPickerProps) {
  const { t } = useTranslation();
  const { isOpen, button, close, leave, handlers } = useOpener();

  if (!addressee) return <span className={classes.place}>{addressee === null && t('com_endpoint_none')}</span>;
  return (
    <div className={classes.anchor}>
      <button
        ref={button}
        id={id}
        type="button"
        className={classes.button}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        title={t('com_endpoint_choose')}
        onPointerEnter={menu.preload}
        onFocus={menu.preload}
        {...handlers}
      >
        <span className={classes.model}>{addressee.model ?? endpointLabel(addressee.endpoint)}</span>
        {addressee.model !== null && <span className={classes.endpoint}>{endpointLabel(addressee.endpoint)}</span>}
        <IconChevronDown aria-hidden />
      </button>
      {isOpen && (
        <Arriving onFailure={close}>
          <menu.Screen
            current={addressee}
            onClose={close}
            onLeave={leave}
            onPick={(choice) => {
              close();
              onPick(choice);
            }}
          />
        </Arriving>
      )}
    </div>
  );
}
