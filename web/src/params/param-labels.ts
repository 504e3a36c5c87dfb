// Labels and descriptions of the parameters and their options. Table entries without a label here show their API name.
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { Param } from '@parley/schema/catalog/params';
import type { ParseKeys, TFunction } from 'i18next';

interface LabelKeys {
  label: ParseKeys;
  /** {{0}} is the maximum number of them. */
  help?: ParseKeys;
  placeholder?: ParseKeys;
}

const name: LabelKeys = {
  label: 'com_endpoint_custom_name',
  help: 'com_endpoint_custom_name_help',
  placeholder: 'com_endpoint_custom_name_placeholder',
};
const topP: LabelKeys = { label: 'com_endpoint_top_p', help: 'com_endpoint_top_p_help' };

const LABELS: Record<string, LabelKeys> = {
  chatGptLabel: name,
  modelLabel: name,
  promptPrefix: {
    label: 'com_endpoint_prompt_prefix',
    help: 'com_endpoint_prompt_prefix_help',
    placeholder: 'com_endpoint_prompt_prefix_placeholder',
  },
  instructions: { label: 'com_endpoint_instructions_assistants', help: 'com_endpoint_instructions_assistants_help' },
  stop: { label: 'com_endpoint_stop', help: 'com_endpoint_stop_help' },
  temperature: { label: 'com_endpoint_temperature', help: 'com_endpoint_temperature_help' },
  top_p: topP,
  topP,
  topK: { label: 'com_endpoint_top_k', help: 'com_endpoint_top_k_help' },
  maxOutputTokens: { label: 'com_endpoint_max_output_tokens', help: 'com_endpoint_max_output_tokens_help' },
  frequency_penalty: { label: 'com_endpoint_frequency_penalty', help: 'com_endpoint_frequency_penalty_help' },
  presence_penalty: { label: 'com_endpoint_presence_penalty', help: 'com_endpoint_presence_penalty_help' },
  reasoning_effort: { label: 'com_endpoint_reasoning_effort', help: 'com_endpoint_reasoning_effort_help' },
  thinkingBudget: { label: 'com_endpoint_thinking_budget', help: 'com_endpoint_thinking_budget_help' },
  resendFiles: { label: 'com_endpoint_plug_resend_files', help: 'com_endpoint_plug_resend_files_help' },
  pdfAsFile: { label: 'com_endpoint_pdf_as_file', help: 'com_endpoint_pdf_as_file_help' },
  imageDetail: { label: 'com_endpoint_plug_image_detail', help: 'com_endpoint_plug_image_detail_help' },
  examples: { label: 'com_endpoint_examples', help: 'com_endpoint_examples_help' },
  toneStyle: { label: 'com_endpoint_tone_style' },
  context: { label: 'com_endpoint_context', help: 'com_endpoint_context_help' },
  systemMessage: { label: 'com_endpoint_system_message', help: 'com_endpoint_system_message_help' },
  agentOptions: { label: 'com_params_agent' },
  jailbreak: { label: 'com_endpoint_jailbreak', help: 'com_endpoint_jailbreak_help' },
};

const OPTIONS: Record<string, ParseKeys> = {
  low: 'com_params_detail_low',
  auto: 'com_params_detail_auto',
  high: 'com_params_detail_high',
  none: 'com_params_effort_none',
  minimal: 'com_params_effort_minimal',
  medium: 'com_params_effort_medium',
  xhigh: 'com_params_effort_xhigh',
  max: 'com_params_effort_max',
  creative: 'com_params_tone_creative',
  fast: 'com_params_tone_fast',
  balanced: 'com_params_tone_balanced',
  precise: 'com_params_tone_precise',
};

export interface ParamLabels {
  label: string;
  help: string | undefined;
  placeholder: string | undefined;
}

export function paramLabels(type: EndpointType, paramName: string, param: Param, t: TFunction): ParamLabels {
  const { label, help, placeholder } = keysOf(type, paramName) ?? {};
  const values = { 0: param.kind === 'tags' ? param.max : undefined };
  return {
    label: label ? t(label) : paramName,
    help: help && t(help, values),
    placeholder: placeholder && t(placeholder),
  };
}

export function optionName(option: string, t: TFunction): string {
  const key = OPTIONS[option];
  return key ? t(key) : option;
}

function keysOf(type: EndpointType, paramName: string): LabelKeys | undefined {
  const isAddition = type === 'assistants' && paramName === 'promptPrefix';
  return isAddition ? { label: 'com_endpoint_prompt_prefix_assistants' } : LABELS[paramName];
}
