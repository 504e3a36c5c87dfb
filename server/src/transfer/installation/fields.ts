// What becomes of each field of each collection of LibreChat, up to its 0.8. It drives the report: of a field that stays
// behind the report says so, and so it does of a field that is not in this table.

/** Taken as it is, or in other words or at another place. */
export type Taken = 'taken' | 'translated';
/** Of the database itself, or worked out anew here: nobody misses it. */
export type Internal = 'internal';
export interface Said {
  /** A clause for the report: why it stays behind, or what to do. */
  said: string;
  /** A value that says nothing: every document has it. */
  unless?: unknown;
}
export type Fate = Taken | Internal | Said;

type Fields = Readonly<Record<string, Fate>>;

const said = (words: string, unless?: unknown): Said => ({ said: words, unless });
const every = (names: string, fate: Fate): Fields => Object.fromEntries(names.split(' ').map((name) => [name, fate]));

const DOCUMENT = every('_id __v createdAt updatedAt tenantId', 'internal');
const TIMED = { ...DOCUMENT, createdAt: 'taken', updatedAt: 'taken' } as const satisfies Fields;
const NO_SETTING = said('no setting of its endpoint here; where it matters, set what there is in a preset');

const SHARED_BEFORE = said('sharing comes from the entries that 0.8 has for it; what was shared before is shared anew');

/** What conversations and presets have as settings: taken where the endpoint has such a setting, else said. */
const SETTINGS: Fields = {
  ...every(
    'chatGptLabel modelLabel promptPrefix temperature top_p topP topK maxOutputTokens max_tokens presence_penalty ' +
      'frequency_penalty resendFiles imageDetail stop instructions reasoning_effort examples assistant_id tools',
    'taken',
  ),
  ...every(
    'maxTokens maxContextTokens promptCache thinking thinkingBudget effort thinkingLevel thinkingDisplay system region ' +
      'useResponsesApi web_search disableStreaming fileTokenLimit reasoning_summary verbosity additional_instructions ' +
      'append_today_date artifacts iconURL greeting spec resendImages url_context inferenceGeo',
    NO_SETTING,
  ),
  agentOptions: 'taken',
};
const ASKED: Fields = {
  ...SETTINGS,
  ...every('endpoint model', 'taken'),
  endpointType: 'translated',
  agent_id: 'translated',
  file_ids: said('files of a chat are those of its messages'),
};

export const FIELDS: Readonly<Record<string, Fields>> = {
  users: {
    ...DOCUMENT,
    createdAt: 'taken',
    ...every('name username email emailVerified password avatar provider role plugins', 'taken'),
    ...every('googleId facebookId openidId openidIssuer ldapId githubId discordId', 'translated'),
    ...every('twoFactorEnabled totpSecret backupCodes', 'translated'),
    ...every('pendingTotpSecret pendingBackupCodes refreshToken expiresAt', 'internal'),
    ...every('samlId appleId', said('there is no such sign-in here: they ask for a link that sets a password')),
    termsAccepted: said('people are not asked for terms here'),
    personalization: said('memories have no place here'),
    favorites: said('pinned agents and models; people pin theirs anew'),
    idOnTheSource: 'translated',
    skillStates: said('skills have no place here'),
    skillFavorites: said('skills have no place here'),
  },
  conversations: {
    ...TIMED,
    ...every('conversationId title isArchived expiredAt', 'taken'),
    user: 'translated',
    tags: 'translated',
    messages: 'internal',
    _meiliIndex: 'internal',
    ...ASKED,
    files: said('files of a chat are those of its messages'),
    ...every(
      'bingConversationId jailbreakConversationId conversationSignature clientId invocationId jailbreak toneStyle',
      'internal',
    ),
    projectId: said('projects have no place here: make a folder'),
    chatProjectId: said('projects have no place here: make a folder'),
    isTemporary: 'internal',
  },
  messages: {
    ...TIMED,
    ...every(
      'messageId conversationId parentMessageId tokenCount sender text isCreatedByUser unfinished error',
      'taken',
    ),
    ...every('finish_reason model endpoint content', 'taken'),
    user: 'translated',
    ...every('plugin plugins files attachments feedback', 'translated'),
    isEdited: 'taken',
    ...every(
      '_meiliIndex conversationSignature clientId invocationId expiredAt isTemporary summaryTokenCount',
      'internal',
    ),
    summary: said('older messages are summed up anew'),
    thread_id: said('threads at OpenAI are not continued'),
    iconURL: said('the picture of its model or assistant is shown'),
    metadata: said('what the other system noted for itself'),
    addedConvo: said('answers side by side come as branches'),
    contextMeta: 'internal',
    manualSkills: said('skills have no place here'),
    alwaysAppliedSkills: said('skills have no place here'),
    quotes: said('quoted passages stay in the text of the message only'),
  },
  presets: {
    ...TIMED,
    ...every('presetId title order defaultPreset', 'taken'),
    user: 'translated',
    ...ASKED,
    isArchived: 'internal',
    tags: said('presets have no tags here'),
    jailbreak: 'internal',
    toneStyle: 'internal',
  },
  agents: {
    ...TIMED,
    ...every('name description instructions model conversation_starters', 'taken'),
    ...every('id author provider avatar tools tool_resources actions', 'translated'),
    ...every('authorName versions', 'internal'),
    model_parameters: said('assistants have no parameters of their own: those of the model act'),
    artifacts: said('every model makes artifacts here'),
    recursion_limit: said('the limit of the server acts for all'),
    tool_kwargs: said('tools are chosen anew'),
    ...every(
      'hide_sequential_outputs end_after_tools agent_ids edges subagents',
      said('agents do not call other agents here'),
    ),
    ...every('isCollaborative projectIds access_level', SHARED_BEFORE),
    ...every('category is_promoted support_contact', said('there is no marketplace of agents here')),
    mcpServerNames: said('tool servers are chosen anew in the builder'),
    tool_options: said('tools are chosen anew'),
    skills: said('skills have no place here'),
    skills_enabled: said('skills have no place here'),
  },
  assistants: {
    ...TIMED,
    user: 'translated',
    ...every('assistant_id avatar conversation_starters file_ids', 'translated'),
    model: 'taken',
    actions: 'translated',
    access_level: SHARED_BEFORE,
    append_current_datetime: said('put {{current_datetime}} into the instructions'),
  },
  actions: {
    ...DOCUMENT,
    user: 'translated',
    ...every('action_id agent_id assistant_id metadata', 'translated'),
    type: 'internal',
    settings: said('settings that only the other system reads'),
  },
  files: {
    ...TIMED,
    ...every('filename', 'taken'),
    ...every('user file_id filepath type context', 'translated'),
    ...every(
      'temp_file_id bytes object usage source width height embedded expiresAt conversationId messageId model',
      'internal',
    ),
    text: said('the text of files is read anew from their bytes'),
    metadata: said('what the other system noted for itself'),
    ...every('status previewError textFormat', 'internal'),
  },
  prompts: {
    ...TIMED,
    groupId: 'translated',
    author: 'translated',
    prompt: 'taken',
    type: said('a prompt of several messages comes as one text', 'text'),
  },
  promptgroups: {
    ...TIMED,
    ...every('name command', 'taken'),
    ...every('category productionId author', 'translated'),
    numberOfGenerations: 'internal',
    authorName: 'internal',
    oneliner: said('prompts have a title and no description here'),
    ...every('projectIds isPublic', SHARED_BEFORE),
  },
  conversationtags: {
    ...DOCUMENT,
    user: 'translated',
    ...every('tag position', 'translated'),
    count: 'internal',
    description: said('folders have no description here'),
  },
  balances: {
    ...DOCUMENT,
    user: 'translated',
    tokenCredits: 'taken',
    ...every(
      'autoRefillEnabled refillIntervalValue refillIntervalUnit lastRefill refillAmount',
      said('balances are not refilled here: give people a budget under Administration > Usage'),
    ),
  },
  keys: { ...DOCUMENT, userId: 'translated', ...every('name value expiresAt', 'taken') },
  aclentries: {
    ...DOCUMENT,
    ...every('principalType principalId resourceType resourceId permBits roleId', 'translated'),
    ...every('principalModel inheritedFrom grantedBy grantedAt', 'internal'),
  },
  accessroles: {
    ...DOCUMENT,
    permBits: 'translated',
    ...every('accessRoleId name description resourceType', 'internal'),
  },
  groups: {
    ...DOCUMENT,
    ...every('name memberIds', 'translated'),
    ...every('source idOnTheSource avatar email', 'internal'),
    description: said('groups are made anew'),
  },
  pluginauths: { ...DOCUMENT, userId: 'translated', authField: 'taken', value: 'taken', pluginKey: 'internal' },
};

/** Why some collections have no place here, and what to do. */
export const WITHOUT_PLACE: Readonly<Record<string, string>> = {
  sessions: 'people sign in again',
  tokens: 'links in mails are valid for minutes only',
  roles: 'permissions of roles have no place here; who is ADMIN there is so here',
  accessroles: 'they say what entries of sharing permit',
  groups: 'groups are made anew under Administration > Groups, or come from the directory',
  sharedlinks: 'links are made anew, by those who share',
  projects: 'projects have no place here: make folders, and share assistants and prompts anew',
  chatprojects: 'projects have no place here: make folders',
  memoryentries: 'memories have no place here: people copy what they need into the instructions of a folder or preset',
  mcpservers: 'tool servers are set up anew, under Administration > Tools or in the configuration',
  toolcalls: 'the calls of tools come with their messages',
  banners: 'a notice is written anew under Administration',
  categories: 'categories of prompts become their tags',
  agentcategories: 'there is no marketplace of agents here',
  agentapikeys: 'keys for programs are made anew, by their owners',
  skills: 'skills have no place here',
  skillfiles: 'skills have no place here',
  configs: 'the configuration is read from its files',
  systemgrants: 'who is ADMIN there is so here',
  logs: 'records of the other server',
};

/**
 * The fate of a field; null for one that is not known here. `settings` are those that were taken of a conversation or a
 * preset.
 */
export function findFate(collection: string, field: string, settings?: object): Fate | null {
  const fields = FIELDS[collection];
  if (settings && Object.hasOwn(SETTINGS, field)) return Object.hasOwn(settings, field) ? 'taken' : NO_SETTING;
  return fields && Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
}
