// How much a model thinks before it answers, as a few levels, whichever parameter of its endpoint says so.
import { endpointParams, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { Param, Settings, SettingValue } from '@parley/schema/catalog/params';
import type { TFunction } from 'i18next';
import { fitToModel, withSetting } from '@parley/schema/settings/fit-settings';
import { formatNumber } from '../lib/format-number.ts';
import { optionName } from './param-labels.ts';

/** `none` is off. */
export interface Effort {
  levels: readonly string[];
  /** One of the levels, or a number of tokens between them. */
  chosen: string | number;
  /** It differs from the model's default. */
  isChanged: boolean;
}

interface Asked {
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
}

/** Shares of the longest thinking, in tokens. */
const SHARES: Readonly<Record<string, number>> = { none: 0, low: 1 / 8, medium: 1 / 2, high: 1 };

/** Null where the model has no such parameter. */
export function effortOf(asked: Asked): Effort | null {
  const { name, param, params } = effortParam(asked);
  if (!param) return null;
  const set = fitToModel(params, asked.settings)[name];
  const isChanged = set !== undefined;
  if (param.kind === 'choice') return { levels: param.options, chosen: String(set ?? param.default), isChanged };
  const tokens = Number(set ?? param.default);
  const levels = Object.keys(SHARES);
  return { levels, chosen: levels.find((level) => tokensOf(param, level) === tokens) ?? tokens, isChanged };
}

/** The settings with another effort; undefined is the model's default. */
export function withEffort(asked: Asked, level: string | undefined): Settings {
  const { name, param, params } = effortParam(asked);
  const value: SettingValue | undefined =
    param?.kind === 'slider' && level !== undefined ? tokensOf(param, level) : level;
  return withSetting(params, fitToModel(params, asked.settings), name, value);
}

/** A level as people read it; what is between the levels is a number of tokens. */
export function effortName(level: string | number, t: TFunction, language: string): string {
  if (typeof level === 'number') return formatNumber(level, language);
  return level === 'none' ? t('com_composer_effort_off') : optionName(level, t);
}

function effortParam({ endpointType, model }: Asked) {
  const params = endpointParams(endpointType, model);
  const name = params.reasoning_effort ? 'reasoning_effort' : 'thinkingBudget';
  const param = params[name];
  const isKnown = param?.kind === 'choice' || param?.kind === 'slider';
  return { params, name, param: isKnown ? param : undefined };
}

function tokensOf({ max, step }: Extract<Param, { kind: 'slider' }>, level: string): number {
  return Math.round((max * (SHARES[level] ?? 0)) / step) * step;
}
