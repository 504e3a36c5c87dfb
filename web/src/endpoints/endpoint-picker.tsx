import { IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointLabel, type Choice } from './choose.ts';
import classes from './endpoint-picker.module.css';
import type { Addressee } from './use-addressee.ts';

// The menu needs positioning and focus code that the first screen can do without.
const loadMenu = () => import('./endpoint-menu.tsx');
const EndpointMenu = lazy(() => loadMenu().then(({ EndpointMenu }) => ({ default: EndpointMenu })));
const preload = () => void loadMenu().catch(() => undefined);

interface EndpointPickerProps {
  /** Undefined while it is not known, null when there is none. */
  addressee: Addressee | null | undefined;
  onPick: (choice: Choice) => void;
}

/** Shows whom the chat talks to; opens the list of endpoints and models. */
export function EndpointPicker({ addressee, onPick }: EndpointPickerProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function close(): void {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  }

  /** The list closes by itself when something else is pressed. Here the click is what closes it. */
  function leaveOpen(event: SyntheticEvent): void {
    if (!isOpen) return;
    event.stopPropagation();
    if (event.type === 'mousedown') event.preventDefault();
  }

  if (!addressee) return <span className={classes.place}>{addressee === null && t('com_endpoint_none')}</span>;
  return (
    <div className={classes.anchor}>
      <button
        ref={button}
        id="new-conversation-menu"
        type="button"
        className={classes.button}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        title={t('com_endpoint_choose')}
        onPointerEnter={preload}
        onFocus={preload}
        onMouseDown={leaveOpen}
        onTouchStart={leaveOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      >
        <span className={classes.model}>{addressee.model ?? endpointLabel(addressee.endpoint)}</span>
        {addressee.model !== null && <span className={classes.endpoint}>{endpointLabel(addressee.endpoint)}</span>}
        <IconChevronDown aria-hidden />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <EndpointMenu
            current={addressee}
            onClose={close}
            onLeave={() => setOpen(false)}
            onPick={(choice) => {
              close();
              onPick(choice);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
