/**
 * The demo's answers: prepared texts about Parley and samples of what an answer may contain. Plain data. `%question%`,
 * `%turns%` and `%tokens%` are filled in. A repeated topic gives its next answer.
 */

export type Topic = {
  name: string;
  /** Each distinct match counts one. The topic with the most matches wins; on a tie, the earlier one. */
  words: RegExp;
  replies: string[];
};

export const topics: Topic[] = [
  {
    name: 'shortcuts',
    words: /\b(keyboard|shortcuts?|hot ?keys?|key ?bindings?)\b/gi,
    replies: [
      `## Keyboard shortcuts

| Keys | What happens |
|---|---|
| Enter | send |
| Shift + Enter | a new line |
| Esc | stop the answer, or close what is open |
| Ctrl + Shift + O | a new chat |
| Ctrl + Shift + S | show or hide the sidebar |
| Shift + Esc | back to the message box |
| Ctrl + / | the full list |

On a Mac, read Cmd for Ctrl.`,

      `## Hands on the keyboard

The three worth learning first:

1. **Ctrl + Shift + O** starts a new chat, wherever you are.
2. **Shift + Esc** puts the cursor back into the message box.
3. **Esc** stops an answer. What was already written stays.

**Ctrl + /** shows them all. On a Mac it is Cmd in place of Ctrl. Everything else can be reached with Tab, and you always see where you are.`,
    ],
  },
  {
    name: 'keys',
    words:
      /\b(api[- ]?keys?|provider|providers|connect|openai|mistral|ollama|openrouter|groq|endpoints?|configur\w+|set ?up|yaml|env|real model|base ?url|keys?)\b/gi,
    replies: [
      `## Connecting a real model

I am only the built-in demo. A real model needs a key, and one line is enough.

**1. Put the key into \`.env\`**, in the folder you start Parley from:

\`\`\`sh
OPENAI_API_KEY=sk-your-key
# optional
OPENAI_MODELS=gpt-4o,gpt-4o-mini
\`\`\`

**2. Start Parley again** with \`npm start\`.

The endpoint menu at the top then lists **OpenAI**, and I step aside. Your conversations stay where they are.

Any service that speaks the same protocol works too: ask me about \`parley.yaml\`, or regenerate this answer for the next recipe.`,

      `## Any OpenAI-compatible service, in \`parley.yaml\`

Name the service, say where it lives and which models it has:

\`\`\`yaml
version: 1.0.7
endpoints:
  custom:
    - name: Mistral
      apiKey: \${MISTRAL_API_KEY}
      baseURL: https://api.mistral.ai/v1
      models:
        default: [mistral-small-latest]
        fetch: true
      titleConvo: true
      titleModel: mistral-small-latest
      modelDisplayLabel: Mistral
\`\`\`

\`\${MISTRAL_API_KEY}\` is read from the environment or from \`.env\`, so the file itself holds no secret. With \`fetch: true\` the list of models comes from the service, and \`default\` is the fallback.

If a key is misspelt, Parley refuses to start and names the key. That is deliberate: a demo like me is easier to live with than a setting that is silently ignored.`,

      `## A model on your own machine

With [Ollama](https://ollama.com) running, nothing leaves your computer at all:

\`\`\`sh
ollama pull llama3.2
\`\`\`

\`\`\`yaml
# parley.yaml
version: 1.0.7
endpoints:
  custom:
    - name: Ollama
      apiKey: ollama
      baseURL: http://localhost:11434/v1
      models:
        default: [llama3.2]
        fetch: true
\`\`\`

Then restart with \`npm start\`.

| You have | You need |
|---|---|
| an OpenAI key | \`OPENAI_API_KEY\` in \`.env\` |
| a key of another service | a \`custom\` entry in \`parley.yaml\` |
| a computer with enough memory | Ollama, as above |
| none of these | me, the demo, for a while |`,
    ],
  },
  {
    name: 'privacy',
    words:
      /\b(privacy|private|my data|data|stored?|storage|database|postgres\w*|backups?|secure|security|telemetry|track\w*|gdpr)\b/gi,
    replies: [
      `## Where your data is

Parley runs on **your** machine, and so does its memory.

- **Conversations** are rows in PostgreSQL. Unless you set \`DATABASE_URL\`, Parley starts its own, inside its data folder, on a socket that only this machine can reach.
- **Passwords** are kept as argon2id hashes. Nobody can read them back, and that includes you.
- **Secrets** that sign sessions are made on the first start and kept in a file only its owner may read.

What does leave: when you talk to a real provider, *that provider* receives the conversation you send, and its own rules apply. Talking to me, the demo, goes no further than this process.`,

      `## Taking your data with you

Everything Parley knows is in one place, the data folder (\`DATA_DIR\` says where), or in the database that \`DATABASE_URL\` names.

To back it up, stop Parley and copy the folder:

\`\`\`sh
cp -a data data-backup
\`\`\`

With your own PostgreSQL, the usual tool does it while Parley runs:

\`\`\`sh
pg_dump "$DATABASE_URL" > parley.sql
\`\`\`

To forget a conversation, delete it in the sidebar.`,
    ],
  },
  {
    name: 'streaming',
    words:
      /\b(stream\w*|resum\w+|reload\w*|reconnect\w*|offline|connection|crash\w*|interrupt\w*|lose|lost|survive\w*|stop button|regenerat\w+)\b/gi,
    replies: [
      `## Try to break this answer

While these words are still arriving, do something rude:

1. **Reload the page.** The answer goes on from where it was.
2. **Open this chat in a second tab.** Both show the same text, letter for letter.
3. **Switch the network off for a moment.** Nothing is lost, and nothing comes twice.
4. **Press stop.** What has been written stays, and you can regenerate it.

Why it works: the answer belongs to the *server*, not to your tab. Each piece is numbered and written to the database about ten times a second. A browser only says which number it saw last.

\`\`\`text
browser   ask ───────────▶ server ──▶ provider
browser ◀── 1, 2 ───────── server ◀── pieces 1, 2, 3 …
browser   (reload)
browser   "I have 2" ────▶ server
browser ◀── 3, 4, 5 … ──── server
\`\`\`

Closing the window does not stop an answer either. Only the stop button does.`,

      `## How an answer survives

An answer in Parley is a list of **events**, each with a number:

\`\`\`ts
type Event =
  | { type: 'text'; offset: number; text: string }
  | { type: 'usage'; input: number; output: number }
  | { type: 'final' };
\`\`\`

Every text event says at which character it begins. So when a piece arrives twice, the overlap is cut off, and when a piece is missing, the gap is seen rather than guessed over.

The end is one transaction: the finished reply is saved and the events are removed, both or neither. If the server itself is killed in the middle, the next one finds the events, saves what there was, and marks the reply as unfinished.

> The log is about what is still happening. The database is about what happened.`,
    ],
  },
  {
    name: 'maths',
    words:
      /\b(maths?|mathematic\w*|equations?|formula[es]?|katex|latex|integrals?|algebra|calculus|euler|pythagor\w*|theorem)\b/gi,
    replies: [
      `## A little mathematics

Inline, a formula sits in its sentence: the roots of $ax^2 + bx + c = 0$ are

$$
x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}
$$

and they are real when $b^2 \\ge 4ac$.

The bell curve encloses a finite area, although it never ends:

$$
\\int_{-\\infty}^{\\infty} e^{-x^2} \\, dx = \\sqrt{\\pi}
$$

Money is left alone: a coffee for $5 and a cake for $10 are $15, not a formula.`,

      `## Euler, in three lines

Start from the exponential series,

$$
e^{x} = \\sum_{n=0}^{\\infty} \\frac{x^n}{n!}
$$

put $x = i\\theta$, and collect the real and the imaginary terms:

$$
\\begin{aligned}
e^{i\\theta} &= \\Bigl(1 - \\tfrac{\\theta^2}{2!} + \\cdots\\Bigr) + i\\,\\Bigl(\\theta - \\tfrac{\\theta^3}{3!} + \\cdots\\Bigr) \\\\
             &= \\cos\\theta + i \\sin\\theta
\\end{aligned}
$$

At $\\theta = \\pi$ this is $e^{i\\pi} + 1 = 0$.`,

      `## A matrix and a limit

A rotation by $\\varphi$ is

$$
R(\\varphi) = \\begin{pmatrix} \\cos\\varphi & -\\sin\\varphi \\\\ \\sin\\varphi & \\cos\\varphi \\end{pmatrix},
\\qquad \\det R(\\varphi) = 1 .
$$

And a limit that everyone meets once:

$$
\\lim_{n \\to \\infty} \\left( 1 + \\frac{1}{n} \\right)^{n} = e \\approx 2.71828
$$`,
    ],
  },
  {
    name: 'http',
    words: /\b(http|fetch|requests?|rest api|ajax|axios|curl)\b/gi,
    replies: [
      `## An HTTP request in JavaScript

\`fetch\` is built in, in browsers and in Node:

\`\`\`js
const response = await fetch('https://api.example.com/books?limit=10', {
  headers: { accept: 'application/json' },
  signal: AbortSignal.timeout(5_000),
});

if (!response.ok) throw new Error(\`The server said \${response.status}\`);
const books = await response.json();
\`\`\`

Two things are easy to forget:

- \`fetch\` only rejects when there is **no** answer. A 404 or a 500 is an answer: look at \`response.ok\`.
- Without a \`signal\` it may wait for minutes.

Sending works the same way:

\`\`\`js
await fetch('https://api.example.com/books', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ title: 'The Sea' }),
});
\`\`\``,
    ],
  },
  {
    name: 'code',
    words:
      /\b(code|coding|program\w*|functions?|scripts?|typescript|javascript|python|sql|snippets?|algorithms?|debounce)\b/gi,
    replies: [
      `## Some TypeScript

A debounce that keeps the types of the function it wraps:

\`\`\`ts
export function debounce<Args extends unknown[]>(ms: number, run: (...args: Args) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args: Args): void => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), ms);
  };
}

const save = debounce(350, (text: string) => localStorage.setItem('draft', text));
\`\`\`

\`save('a')\` and \`save('ab')\` in quick succession write once, 350 ms after the last call. The button at the top of a block copies it; the one beside it wraps long lines.`,

      `## Some Python

The most frequent words of a text, with nothing but the standard library:

\`\`\`python
import re
from collections import Counter
from pathlib import Path


def top_words(path: str, n: int = 10) -> list[tuple[str, int]]:
    words = re.findall(r"\\w+", Path(path).read_text(encoding="utf-8").lower())
    return Counter(words).most_common(n)


for word, count in top_words("book.txt"):
    print(f"{count:6}  {word}")
\`\`\`

\`Counter.most_common\` uses a heap, so a long text and a small \`n\` stay cheap: about $O(m \\log n)$ for $m$ distinct words.`,

      `## Some SQL

The next page of a list, without \`OFFSET\`:

\`\`\`sql
SELECT id, title, updated_at
FROM convos
WHERE user_id = $1
  AND (updated_at, id) < ($2, $3)  -- the last row of the page before
ORDER BY updated_at DESC, id DESC
LIMIT 25;
\`\`\`

\`\`\`diff
- LIMIT 25 OFFSET 5000   -- reads 5,025 rows to show 25
+ (updated_at, id) < …   -- reads 25, given an index on the same columns
\`\`\`

It also does not skip or repeat rows when new ones arrive between two pages. Parley's own sidebar is read this way.`,
    ],
  },
  {
    name: 'table',
    words: /\b(tables?|compar\w+|columns?|spreadsheet|csv|versus|vs)\b/gi,
    replies: [
      `## A table

| Planet | Day, in hours | Year, in Earth days | Moons |
|:--|--:|--:|--:|
| Mercury | 4,222.6 | 88 | 0 |
| Venus | 2,802.0 | 225 | 0 |
| Earth | 24.0 | 365 | 1 |
| Mars | 24.7 | 687 | 2 |
| Jupiter | 9.9 | 4,331 | 95 |

The columns align as the markdown says, and on a narrow screen the table scrolls inside itself and leaves the page alone.`,

      `## Ways to run a model

| | Hosted service | Your own machine | This demo |
|:--|:--:|:--:|:--:|
| Needs a key | yes | no | no |
| Needs a strong computer | no | **yes** | no |
| Your words leave the house | yes | no | no |
| Knows things | yes | yes | **only this table** |
| Costs | per token | electricity | nothing |`,
    ],
  },
  {
    name: 'birthday',
    words: /\b(birthday|party|creative|ideas?|10[- ]year|kids?|child\w*)\b/gi,
    replies: [
      `## Six ideas for a tenth birthday

1. **A treasure hunt in code.** Every clue is a small cipher; the last one opens the cake box.
2. **An upside-down day.** Dessert first, and the guests bring a question in place of a present.
3. **A film in an afternoon.** One phone, one costume box, a premiere at six with popcorn.
4. **A night walk** with torches and a list of ten sounds to hear.
5. **The great bridge contest.** Spaghetti, marshmallows, and a weight that grows.
6. **A restaurant run by children.** They write the menu, the parents are the guests.

*Little time?* Number 5 needs a trip to the shop and nothing else.`,

      `## A birthday in space

| When | What |
|--:|---|
| 14:00 | Boarding. Every astronaut gets a name badge and a mission |
| 14:30 | Training: balance, secret signals, egg landing |
| 15:30 | Launch: bottle rockets in the garden |
| 16:15 | Cake, in slices that count down from ten |
| 17:00 | Landing, with a certificate for each crew member |

**To buy:** three bottles, corks, a pump, star stickers, one dozen eggs, *and one dozen more*.`,
    ],
  },
  {
    name: 'quantum',
    words: /\b(quantum|qubits?|superposition|entangle\w*|physics)\b/gi,
    replies: [
      `## Quantum computing, simply

An ordinary bit is a coin lying on the table: heads **or** tails. A **qubit** is a coin in the air. Until it lands it is a blend of both, which one writes as

$$
\\lvert \\psi \\rangle = \\alpha \\lvert 0 \\rangle + \\beta \\lvert 1 \\rangle, \\qquad |\\alpha|^2 + |\\beta|^2 = 1
$$

Three ideas do the work:

- **Superposition.** $n$ qubits carry $2^n$ amplitudes at once.
- **Interference.** A good algorithm lets the paths to wrong answers cancel and those to right ones add up, like waves.
- **Entanglement.** Some qubits can only be described together: look at one and you know about the other.

The catch: looking ends the flight, and you read just one outcome. So a quantum computer is *not* a faster computer for everything. It is a different one, good at a few things such as factoring numbers and simulating molecules.`,

      `## Quantum computing, as a maze

An ordinary computer in a maze tries one turn after another. It is tempting to say that a quantum computer tries all of them at once, and that is *almost* right.

Think of water poured in at the entrance. It flows along every path, and at each junction the waves meet. A quantum algorithm is a clever shape of the maze, one in which waves from dead ends **cancel out** while those at the exit **reinforce** each other. Then you look, once, and most likely find the water at the exit.

Building the maze is the hard part. It is known for a few problems, and each of them is a small piece of art.`,
    ],
  },
  {
    name: 'list',
    words: /\b(lists?|bullets?|steps|check ?list|to-?dos?|outline|plan)\b/gi,
    replies: [
      `## A list for moving into a new place

1. **Before**
   - [x] Tell everyone the new address
   - [x] Count the boxes, then add five
   - [ ] Find someone for the piano
2. **On the day**
   - Label boxes by *room*, not by content
   - Pack one bag that stays with you:
     - keys, chargers, documents
     - bread, salt, a kettle
3. **After**
   - [ ] Read the meters
   - [ ] Meet the neighbours, with the bread

Nested items, numbers and check marks are all ordinary markdown.`,

      `## Five steps to a good question

1. **Say what you are doing**, not only what went wrong.
2. **Show the smallest example** that still fails.
3. **Say what you expected**, in one sentence.
4. **Say what you tried.** It saves everyone the obvious answers.
5. **Ask one thing.** Two questions get half an answer each.

It works on people, and it works on language models too.`,
    ],
  },
  {
    name: 'showcase',
    words: /\b(markdown|showcase|format\w*|demonstrat\w*|show me|examples?)\b/gi,
    replies: [
      `# A tour of an answer

Text can be **bold**, *italic*, ~~taken back~~ or \`literal\`, and it can [link](https://en.wikipedia.org/wiki/Markdown) elsewhere.

> A quote stands apart,
> and may run over lines.

- A list
  - with a smaller one inside
- [x] and something done

| Part | Ask me about |
|:--|:--|
| Code | "some code" |
| Maths | "an equation" |
| Tables | "a table" |
| Resuming | "streaming" |

\`\`\`python
def greet(name: str) -> str:
    return f"Hello, {name}!"
\`\`\`

A formula in a line, $a^2 + b^2 = c^2$, and one by itself:

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$

A footnote closes the tour.[^1]

[^1]: Like this one.

All of it was written in advance: I am Parley's built-in demo, not a language model.`,

      `# The same, for programmers

A configuration,

\`\`\`json
{ "name": "parley", "private": true, "engines": { "node": ">=20.19" } }
\`\`\`

a shell session,

\`\`\`sh
git clone https://example.com/parley.git && cd parley
npm start
\`\`\`

some CSS,

\`\`\`css
.answer {
  max-width: 48rem;
  line-height: 1.6;
}
\`\`\`

and a change under review:

\`\`\`diff
- const answer = guess(question);
+ const answer = await ask(question);
\`\`\`

---

Words in other scripts find their own direction: English, 한국어, 日本語, Ελληνικά.

مرحبا بالعالم

I am the built-in demo; a real model would have written its own examples.`,
    ],
  },
  {
    name: 'hello',
    words:
      /\b(hello|hi|hey|howdy|good (?:morning|afternoon|evening)|who are you|what are you|what is (?:this|parley)|what's this|parley|demo|thanks?|thank you|are you (?:real|there|an ai))\b|안녕|こんにちは|你好|привет|مرحبا|\b(?:hallo|bonjour|hola|ciao|olá)\b/gi,
    replies: [
      `Hello, and welcome to **Parley**: one place to talk with language models of every provider, on a server that is yours.

To be honest from the start: I am the **built-in demo**, not a language model. My answers were written in advance, and I pick one by the words you use. I am here because no provider is configured yet.

Some things to try:

- *How do I add a provider key?*
- *Show me some code*, or *a table*, or *an equation*
- *What happens to the answer when I reload?*
- *Where is my data?*

Or press **regenerate** below: I usually have a second version.`,

      `Hello again! Still the **demo**, still not a model.

What you are looking at is real, though. The words arrive through the same path that a provider's would, each answer is saved in a PostgreSQL database, and everything around it works: edit the title, stop me in mid-sentence, walk between versions with the arrows.

When you want someone cleverer, put one line into \`.env\` and start again:

\`\`\`sh
OPENAI_API_KEY=sk-your-key
\`\`\``,

      `Hi! A short introduction:

| | |
|:--|:--|
| **Name** | Demo |
| **Lives in** | Parley's own process, on your machine |
| **Knows** | Parley, a few code samples, some mathematics, one birthday party |
| **Does not know** | everything else, since I am no language model |
| **Good for** | seeing how Parley feels before you connect a real provider |

Ask *"how do I connect a provider?"* when you are ready.`,
    ],
  },
  {
    name: 'help',
    words: /\b(help|what can (?:you|i)|options|menu|commands|topics|how does (?:this|it) work|capabilit\w+)\b/gi,
    replies: [
      `## What you can ask the demo

I am not a language model: I look for words I know. These I know well.

| Ask about | for instance |
|:--|:--|
| providers | *How do I connect OpenAI, Mistral or Ollama?* |
| your data | *Where is my data stored?* |
| streaming | *What happens when I reload?* |
| the keyboard | *Which shortcuts are there?* |
| formatting | *Show me markdown*, *code*, *a table*, *a list*, *an equation* |

Three of the classics work too: quantum computing, a birthday for a ten-year-old, and HTTP requests in JavaScript.`,

      `## Finding your way

- The **sidebar** holds your conversations. Rename or delete one where it stands.
- The **menu at the top** chooses the endpoint and the model. Until a provider is configured, that is me, the demo.
- Below each answer: **copy** and **regenerate**. Versions are kept, and the arrows walk between them.
- The button that sends becomes the button that **stops**.

Next step: *"How do I add a provider key?"*`,
    ],
  },
];

/** Used when no topic matches. */
export const fallback: Topic = {
  name: 'fallback',
  words: /(?!)/g,
  replies: [
    `You wrote:

> %question%

A language model would have something to say to that. I am Parley's **built-in demo**: I have a few prepared texts and choose among them by the words I find, and in yours I found none.

What I do well:

- **show you around**: ask for *help*, *shortcuts*, or *where my data is*
- **show off**: ask for *code*, *a table*, *an equation*, or *markdown*
- **hand over**: ask *how to connect a provider*, and you will soon have a real answer to your question`,

    `That is a good question for a real model, and I am only the **demo**.

What I can tell you is what arrived here, which is what a provider would have seen:

| | |
|:--|--:|
| Messages in this conversation | %turns% |
| Tokens, roughly | %tokens% |
| Your last message began with | %question% |

To have it answered, put a key into \`.env\` and start Parley again:

\`\`\`sh
OPENAI_API_KEY=sk-your-key
\`\`\``,

    `I have read it twice and still have nothing prepared:

> %question%

I am a **demo**, and an honest one: rather than invent an answer, I will tell you how to get a true one.

1. Choose a provider: OpenAI, any compatible service, or a model on your own machine.
2. Ask me *how to connect it*. The recipe fits on one screen.
3. Start Parley again and ask once more, in a new chat.

Until then: *code*, *table*, *list*, *maths* and *markdown* are words that wake me up.`,
  ],
};

/** Appended to an answer that does not say it is the demo. */
export const footers: string[] = [
  `*I am Parley's built-in demo, not a language model: this text was written in advance. Ask "how do I connect a provider?" for the real thing.*`,
  `*A prepared answer from the built-in demo. For a real model, put \`OPENAI_API_KEY\` into \`.env\` and start Parley again.*`,
  `*Written in advance, by people. The built-in demo is no language model; ask me how to connect one.*`,
];
