import '../locales/load/keys.ts';
import { IconKey } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useShowDialog } from '../dialogs/open-dialog.ts';
import { Button } from '../ui/button.tsx';

/** Opens the key dialog of an endpoint. */
export function SetKeyButton({ endpoint, ref }: { endpoint: string; ref?: Ref<HTMLButtonElement> }) {
  const { t } = useTranslation();
  const showDialog = useShowDialog();
  return (
    <Button ref={ref} size="sm" aria-haspopup="dialog" onClick={() => showDialog({ name: 'key', endpoint })}>
      <IconKey aria-hidden />
      {t('com_endpoint_config_key')}
    </Button>
  );
}
