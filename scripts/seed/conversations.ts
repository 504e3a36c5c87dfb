// The seeded conversations. A turn is a question with its answers; the next turn follows the last answer, or the one
// that `goOn` names.

export interface Turn {
  ask: string;
  answers: string[];
  /** Index of the answer that the next turn follows; the last one when absent. */
  goOn?: number;
}

export interface Talk {
  title: string;
  /** Hours since its last change. */
  hoursAgo: number;
  turns: Turn[];
  /** A second branch from the root: another version of the first question. */
  otherwise?: Turn[];
}

export const people = [
  { name: 'Alice Example', username: 'alice', email: 'alice@example.com' },
  { name: 'Bob Example', username: 'bob', email: 'bob@example.com' },
  { name: 'Carol Example', username: 'carol', email: 'carol@example.com' },
] as const;

/** Shared by all seeded users; only for test machines. */
export const PASSWORD = 'nine green bottles';

const resume: Turn[] = [
  {
    ask: 'How do I resume a streamed answer after the socket drops?',
    answers: [
      'Number the events and let the client say which one it saw last.',
      'Give every event a sequence number and let the client say which one it saw last. The server keeps the run alive on its own, so a reader is only a `cursor`:\n\n```ts\nfor await (const { seq, event } of log.read(id, after, signal)) {\n  yield tracked(String(seq), event); // resumes by itself\n}\n```\n\nThree cases are then the same code path:\n\n| What happened | What the reader sends | What it gets |\n|---|---|---|\n| socket dropped | last sequence number | the rest, once |\n| page reloaded | nothing | one merged event, then live |\n| server restarted | last sequence number | the saved text, marked incomplete |',
    ],
  },
  {
    ask: 'And if two tabs are open?',
    answers: ['Each has its own cursor over the same log, so both show the same text; neither owns the run.'],
  },
];

const lisbon: Turn[] = [
  {
    ask: 'Three days in Lisbon in March, please. We like tiles, trams and custard tarts.',
    answers: [
      '**Day 1**: Alfama on foot, the cathedral, tram 28 up to Graça, sunset at the *miradouro*.\n\n**Day 2**: Belém in the morning (tarts before the queue), the tile museum after lunch.\n\n**Day 3**: Sintra by train, back for dinner in Campo de Ourique.',
      '1. Belém and the river\n2. Alfama and Graça\n3. Sintra',
      'Bring a light raincoat, and start with the tile museum: it opens at ten.',
    ],
    goOn: 0,
  },
  { ask: 'Is Sintra worth a whole day?', answers: ['Yes, if you book one palace and walk to the second.'] },
];

export const talks: Talk[] = [
  { title: 'Streaming over websockets', hoursAgo: 1, turns: resume },
  {
    title: 'Trip to Lisbon in March, three days',
    hoursAgo: 3,
    turns: lisbon,
    otherwise: [{ ask: 'Two days in Lisbon in March?', answers: ['Then leave Sintra out and walk Alfama twice.'] }],
  },
  {
    title: 'Why does my index not get used?',
    hoursAgo: 5,
    turns: [
      {
        ask: 'Postgres ignores my index on lower(email). Why?',
        answers: [
          'The query must use the same expression:\n\n```sql\nselect * from users where lower(email) = lower($1);\n```',
        ],
      },
    ],
  },
  {
    title: 'Letter to the landlord',
    hoursAgo: 27,
    turns: [
      {
        ask: 'Write a friendly letter: the heating is broken.',
        answers: ['Dear Ms Field,\n\nsince Monday the heating …'],
      },
    ],
  },
  {
    title: '日本語の敬語について',
    hoursAgo: 30,
    turns: [{ ask: '尊敬語と謙譲語の違いは何ですか。', answers: ['尊敬語は相手を高め、謙譲語は自分を低めます。'] }],
  },
  {
    title: 'Refactor of the payment module, second attempt with smaller steps',
    hoursAgo: 24 * 4,
    turns: [{ ask: 'Where would you start?', answers: ['With a test of what it does today. $5 and $10 stay money.'] }],
  },
  {
    title: 'مقارنة بين قواعد البيانات',
    hoursAgo: 24 * 6,
    turns: [{ ask: 'ما الفرق بين PostgreSQL و SQLite؟', answers: ['الأول خادم مستقل، والثاني مكتبة داخل التطبيق.'] }],
  },
  {
    title: 'Notes on Bayesian updating',
    hoursAgo: 24 * 20,
    turns: [{ ask: 'State Bayes in one line.', answers: ['$$P(H \\mid E) = \\frac{P(E \\mid H)\\,P(H)}{P(E)}$$'] }],
  },
  {
    title: 'Interview questions',
    hoursAgo: 24 * 70,
    turns: [
      {
        ask: 'Five questions about testing.',
        answers: ['- What does a good test read like?\n- When is a fake better?'],
      },
    ],
  },
  {
    title: 'Sourdough, 75 % hydration',
    hoursAgo: 24 * 400,
    turns: [
      { ask: 'How long is the bulk ferment at 24 °C?', answers: ['About five hours; watch the dough, not the clock.'] },
    ],
  },
];
