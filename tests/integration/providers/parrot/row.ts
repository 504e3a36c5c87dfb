// The row of a made-up provider in the endpoint table. Imported before anything that reads the table when it is loaded.
import { defineEndpoint, endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { slider, text } from '@parley/schema/catalog/params';

/** Stands for the type that a row in the table would add. */
export const PARROT = 'parrot' as EndpointType;

Object.assign(endpointTable, {
  [PARROT]: defineEndpoint({
    label: 'Parrot',
    defaultModel: 'grey',
    can: { edit: true, regenerate: true, continue: true, attach: false },
    params: { promptPrefix: text(1000), temperature: slider(0, 11, 1, 5) },
    keyForm: 'key',
    keySetting: 'PARROT_KEY',
    isOfBalance: false,
    isPriced: false,
  }),
});
