import '../locales/load/keys.ts';
import { IconKey } from '@tabler/icons-react';
import { useId, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { Button } from '../ui/button.tsx';

interface SetKeyButtonProps {
  endpoint: string;
  /** The id of the endpoint's name, where several such buttons stand together. */
  nameId?: string;
  /** There is a key, which another one would replace. */
  isSaved?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** Opens the key dialog of an endpoint. */
export function SetKeyButton({ endpoint, nameId, isSaved = false, ref }: SetKeyButtonProps) {
  const { t } = useTranslation();
  const id = useId();
  const showDialog = useShowDialog();
  return (
    <Button
      ref={ref}
      id={id}
      size="sm"
      aria-haspopup="dialog"
      aria-labelledby={nameId && `${id} ${nameId}`}
      onClick={() => showDialog({ name: 'key', endpoint })}
    >
      <IconKey aria-hidden />
      {t(isSaved ? 'com_endpoint_config_key_change' : 'com_endpoint_config_key')}
    </Button>
  );
}
