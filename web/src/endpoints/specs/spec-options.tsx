// The options of the list of models that the operator has named.
import { Combobox } from '@mantine/core';
import type { ModelSpec } from '@parley/schema/settings/model-specs';
import { IconCheck } from '@tabler/icons-react';
import { useMemo } from 'react';
import { endpointLabel, endpointTypeOf, type Catalog, type Choice } from '../../catalog/choose-model.ts';
import { besideSpecs, choiceOfSpec, findSpec, groupNames, searchSpecs } from '../../catalog/model-specs.ts';
import { EndpointIcon } from '../endpoint-icons.tsx';
import classes from '../endpoint-menu.module.css';

/** With more specs than this, the list has a search field. */
const SEARCH_ABOVE = 10;

/** The models that stand below the specs. */
export function useBesideSpecs(catalog: Catalog | undefined): Catalog | undefined {
  return useMemo(() => catalog && besideSpecs(catalog), [catalog]);
}

interface ModelSearch {
  searchedFor: string;
  isNeeded: boolean;
}

/** The specs that match what is typed, before the models that do; the list lags behind, as that of the models. */
export function useSpecSearch(catalog: Catalog | undefined, query: string, search: ModelSearch) {
  const specs = catalog?.specs;
  return {
    found: searchSpecs(specs, search.searchedFor),
    /** The first of them for the query as it is typed. */
    best(): Choice | undefined {
      const [spec] = searchSpecs(specs, query);
      return spec && choiceOfSpec(spec);
    },
    isSearchNeeded: search.isNeeded || (specs?.list.length ?? 0) > SEARCH_ABOVE,
  };
}

interface SpecOptionsProps {
  /** What the search found. */
  found: readonly ModelSpec[];
  catalog: Catalog;
  current: Choice;
}

/** Specs without a group stand first, below no heading. */
export function SpecOptions({ found, catalog, current }: SpecOptionsProps) {
  const currentName = findSpec(catalog.specs, current)?.name;
  return groupNames(found).map((group) => (
    <Combobox.Group key={group} label={group === '' ? undefined : endpointLabel(group)}>
      {found
        .filter((spec) => (spec.group ?? '') === group)
        .map((spec) => (
          <SpecOption key={spec.name} spec={spec} catalog={catalog} isCurrent={spec.name === currentName} />
        ))}
    </Combobox.Group>
  ));
}

/** The choice that a value of the Combobox stands for; undefined for a value of another option. */
export function specChoiceOf(catalog: Catalog | undefined, value: string): Choice | undefined {
  const spec = catalog?.specs?.list.find(({ name }) => valueOf(name) === value);
  return spec && choiceOfSpec(spec);
}

function valueOf(name: string): string {
  return JSON.stringify({ spec: name });
}

function SpecOption({ spec, catalog, isCurrent }: { spec: ModelSpec; catalog: Catalog; isCurrent: boolean }) {
  const { name, label, description, iconURL, endpoint, model } = spec;
  const type = endpointTypeOf(endpoint, catalog.endpoints[endpoint]);
  return (
    <Combobox.Option value={valueOf(name)} active={isCurrent} className={classes.item}>
      <span className={classes.check}>{isCurrent && <IconCheck aria-hidden />}</span>
      {iconURL ? (
        <img className={classes.specIcon} src={iconURL} alt="" />
      ) : (
        <EndpointIcon endpointType={type} endpoint={endpoint} model={model} size="small" />
      )}
      <span className={classes.name}>
        {label}
        {description && <span className={classes.purpose}>{description}</span>}
      </span>
    </Combobox.Option>
  );
}
