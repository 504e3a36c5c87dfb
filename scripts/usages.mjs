// What `npm run <command> -- --help` prints for the commands that are scripts. Those of the server have theirs beside
// them (server/src/commands/).
const USAGES = {
  start: ['npm start', 'Builds what has changed and serves; the settings are environment variables and `.env`.'],
  dev: ['npm run dev', 'Serves with reloading, with fake providers and sign-in sites.'],
  seed: ['npm run seed', 'Adds three people with branching conversations to the database that `npm start` uses.'],
  test: [
    'npm test [-- <file>…]',
    'Runs all ordinary checks, or single files. `npm run test:<part> [-- <file>…]` runs one part: unit, integration,',
    'e2e or slow. `npm run test:changed` checks what differs from main: its types, its lint, the tests of its rooms.',
  ],
  bench: [
    'npm run bench [-- <part>]',
    'Measures speed, as ratios to a bare relay in the same run, or one part of it.',
    '  soak --hours <number> [--part <hours>] [--counts <file>]   loads one server for hours, in parts that add up in the',
    '                                                             file, and says what grows',
  ],
  chaos: [
    'npm run chaos [-- --seed <number>] [--generations <number>] [--minutes <number>] [--servers <number>]',
    'Lets users chat while servers die and sockets are cut; afterwards nothing may be lost.',
    '  --kills <number> [--counts <file>]   kills parts of a cluster instead, until so many are counted in the file',
  ],
  cluster: [
    'npm run cluster [-- --etcd 3] [--nodes <number>] [--dir <folder>] [--keep]',
    'Runs all that a production installation consists of on this machine, until Ctrl-C. With the same --dir:',
    '  --status                  one row per part',
    '  --kill <part>             kills primary, standby, node, pooler, balancer, bucket or etcd at once, which comes back',
    '                            after --back-after <seconds> [20]',
    '  --stop                    ends it',
    'or starts one of its own and ends it:',
    '  --prove <part>, --prove all   kills it under 100 answers, and fails when anything is lost',
    '  --prove upgrade --from <git ref or folder>   replaces the nodes of that version by this one',
  ],
  picture: ['npm run picture', 'Draws the picture of the README anew, from the page as it is.'],
  'check-locales': ['npm run check-locales', 'Counts the sentences of each language that are not translated.'],
  'check-advisories': [
    'npm run check-advisories [-- <sbom.json>]',
    'Lists the parts of this checkout, or of an image, that have published vulnerabilities. Asks OSV.dev.',
  ],
  build: ['npm run build [-- --force]', 'Bundles the server and the web where their sources have changed.'],
};

/** What to print, or null: the command is none of these, or it is not asked for help. */
export function usageOf(command, args) {
  const usage = Object.hasOwn(USAGES, command) ? USAGES[command] : undefined;
  if (!usage || !args.some((arg) => arg === '--help' || arg === '-h')) return null;
  return [`Usage: ${usage[0]}`, ...usage.slice(1)].join('\n');
}
