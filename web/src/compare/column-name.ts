import type { Column } from '@parley/schema/chat/columns';
import { endpointLabel, type Catalog } from '../catalog/choose-model.ts';
import { findSpec } from '../catalog/model-specs.ts';

type Answerer = Pick<Column, 'endpoint' | 'model'> & Partial<Pick<Column, 'settings'>>;

/** The name of who answers: the operator's label, else the model. */
export function columnName(column: Answerer, specs: Catalog['specs']): string {
  return findSpec(specs, column)?.label ?? column.model ?? endpointLabel(column.endpoint);
}
