// Variables of other products' configurations that have no effect here. Each that is set is said once at the start, with
// what to do instead. Names by LibreChat's documentation up to version 0.8.8 and by its example files since 0.7.1.
import { operatorCommand } from '../operator-command.ts';
import type { RawEnv } from './env.ts';

/** The names of a family; a family is a pattern that also matches variables which are read. */
type Row = readonly [names: readonly string[] | RegExp, instead: string];

const ROWS: readonly Row[] = [
  [/^MONGO_/, 'Parley keeps its data in PostgreSQL, see DATABASE_URL'],
  [
    /^(?:USE_)?REDIS_|^USE_REDIS|^LEADER_|^FORCED_IN_MEMORY_CACHE|^(?:USER_PRINCIPALS|AUTH_USER)_CACHE|^USER_PRINCIPALS_/,
    'Parley needs no Redis, processes tell each other through PostgreSQL',
  ],
  [/^MEILI_/, 'Parley searches in PostgreSQL'],
  [
    ['DEBUG_LOGGING', 'DEBUG_OPENAI', 'DEBUG_PLUGINS', 'DEBUG_OPENID_REQUESTS', 'AGENT_DEBUG_LOGGING', 'MEM_DIAG'],
    'LOG_LEVEL=debug logs more',
  ],
  [['LOG_TO_FILE', 'LIBRECHAT_LOG_DIR', 'CONSOLE_JSON_STRING_LENGTH'], 'Parley writes its log to the standard output'],
  [/^(?:SAML|APPLE)_/, 'Parley has no sign-in by SAML or Apple, only by OpenID, LDAP and some sites'],
  [/^GITHUB_ENTERPRISE_/, 'GITHUB_OAUTH_URL is the address of another GitHub'],
  [/^OPENID_/, 'sign-in by OpenID has no such setting here'],
  [/^(?:USE_)?ENTRA_ID_|^(?:ENABLE_)?SHAREPOINT_/, 'Parley has no connection to Entra ID or SharePoint'],
  [['ALLOW_EMAIL_LOGIN_OVERRIDE', 'MIN_PASSWORD_LENGTH', 'SESSION_COOKIE_SECURE'], 'Parley has one rule for all'],
  [
    /^(?:RESET_PASSWORD|VERIFY_EMAIL)(?:_SUBMISSION)?_(?:MAX|WINDOW|VIOLATION_SCORE)$/,
    'RESET_MAX and RESET_WINDOW limit requests for a new password',
  ],
  [/^MAILGUN_/, 'mail goes by SMTP, see EMAIL_SERVICE=mailgun or EMAIL_HOST'],
  [/^(?:STT|TTS)_/, 'people may send 30 recordings and 240 texts a minute'],
  [/^BEDROCK_/, 'Parley has no endpoint for Bedrock; a gateway that speaks as OpenAI may be a custom endpoint'],
  [/^ANTHROPIC_(?:USE_)?VERTEX/, 'Claude is asked at Anthropic, see ANTHROPIC_API_KEY'],
  [
    ['GOOGLE_TITLE_MODEL', 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_AUTH_HEADER'],
    'titles come from the model of the chat, GOOGLE_LOC says where Vertex answers',
  ],
  [
    /^(?:SERPER|FIRECRAWL|JINA)_|^TAVILY_(?:SEARCH|EXTRACT)_URL$/,
    'BRAVE_API_KEY, TAVILY_API_KEY or SEARXNG_URL set up the search of the web',
  ],
  [/^(?:OPENWEATHER_|YOUTUBE_|FLUX_|GEMINI_|IMAGE_GEN_|KLING_)/, 'Parley has no such tool'],
  [/^LIBRECHAT_CODE_|^CODE_SANDBOX_|^SANDPACK_/, 'code runs on this server, see INTERPRETER'],
  [
    /^RAG_(?:OPENAI_|PORT$)|^EMBEDDINGS_PROVIDER$|^AZURE_OPENAI_API_EMBEDDINGS_DEPLOYMENT_NAME$/,
    'EMBEDDINGS_ENDPOINT and EMBEDDINGS_MODEL say who embeds',
  ],
  [
    /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|REGION|BUCKET_NAME|ENDPOINT_URL|FORCE_PATH_STYLE)$|^CLOUDFRONT_/,
    'S3_BUCKET and the variables beside it say where files are',
  ],
  [/^AZURE_STORAGE_|^AZURE_CONTAINER_NAME$/, 'Parley keeps no files at Azure, see fileStrategy of the yaml file'],
  [
    /^(?:IMPORT|FORK|FILE_UPLOAD|TOOL_CALL|CONVO_ACCESS)_VIOLATION_SCORE$|^(?:LIMIT_)?(?:IMPORT|FORK)_(?:IP|USER)|^FILE_USAGE_/,
    'Parley limits these by itself',
  ],
  [['START_BALANCE'], `\`${operatorCommand('add-balance')}\` adds to a balance`],
  [/^MCP_(?!USER_SERVERS$)/, 'servers of MCP have their settings in mcpServers of the yaml file'],
  [/^(?:LANGFUSE|RUM)_|^OTEL_(?:TRACING_ENABLED|IOREDIS_)|^ANALYTICS_GTM_ID$/, 'METRICS_TOKEN opens /metrics'],
  [
    /^(?:STATIC_CACHE|INDEX)_|^DISABLE_COMPRESSION$|^ENABLE_(?:IMAGE_OUTPUT_GZIP|STATIC_ASSET)|^HTTP_(?:KEEP_ALIVE|HEADERS|REQUEST)_TIMEOUT/,
    'Parley sets the headers and times of its responses',
  ],
  [
    /^ADMIN_PANEL_|^DEPLOYMENT_SKILLS_DIR$|^SHARED_LINKS_SNAPSHOT_FILES$|^STEER_MAX_LENGTH$|^TEMP_CHAT_RETENTION_HOURS$|^(?:FILE_PREVIEW|REMOTE_FILE_FETCH|CONVERSATION_IMPORT)_MAX|^REMOTE_FILE_FETCH_|^FILE_UPLOAD_SSE_ENABLED$|^GENERATION_PROTOCOL_VERSION$|^STREAM_DELTA_COALESCE_MS$|^CONFIG_BYPASS_VALIDATION$|^CONTINUE_ON_UNCAUGHT_EXCEPTION$/,
    'Parley has no such setting',
  ],
];

/** Keys that files of other versions name for endpoints of their yaml file. */
const PROVIDER_KEYS =
  /^(?:ANYSCALE|APIPIE|COHERE|DATABRICKS|DEEPSEEK|FIREWORKS|GROQ|HUGGINGFACE|HYPERBOLIC|KLUSTER|MISTRAL|MOONSHOT|NANOGPT|NVIDIA|OPENROUTER|PERPLEXITY|PORTKEY|SAMBANOVA|SHUTTLEAI|TOGETHERAI|UNIFY|XAI|DEEPINFRA|GITHUB_MODELS)_(?:API_)?(?:KEY|TOKEN)$/;

/**
 * One sentence for all variables of a row that are set. A flag that is off has no effect anywhere.
 * `isRead` says which variables this server reads, `inYaml` which ones the yaml file uses.
 */
export function otherVariables(raw: RawEnv, isRead: (name: string) => boolean, inYaml: ReadonlySet<string>): string[] {
  const given = Object.keys(raw)
    .toSorted()
    .filter((name) => isOn(raw[name]) && !isRead(name));
  const rows = ROWS.flatMap(([names, instead]) => {
    const found = names instanceof RegExp ? given.filter((name) => names.test(name)) : inOrder(names, given);
    return found.length > 0 ? [`${found.join(', ')} ${isOrAre(found)} not read: ${instead}.`] : [];
  });
  const keys = given.filter((name) => PROVIDER_KEYS.test(name) && !inYaml.has(name));
  if (keys.length === 0) return rows;
  const [first] = keys;
  return [
    ...rows,
    `${keys.join(', ')} ${isOrAre(keys)} not used: an endpoint in endpoints.custom of the yaml file uses a key by its name, as apiKey: "\${${first}}".`,
  ];
}

function inOrder(names: readonly string[], given: readonly string[]): string[] {
  return names.filter((name) => given.includes(name));
}

/** Whether a variable is set to more than `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '' && value.trim().toLowerCase() !== 'false';
}

function isOrAre(names: readonly string[]): string {
  return names.length === 1 ? 'is' : 'are';
}
