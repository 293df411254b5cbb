// Plays a whole game as an agent would, with an official client that holds every answer to its schema, and writes what came of it as JSON.
// node game.mjs LIBRARY URL
// node game.mjs LIBRARY COMMAND ARGUMENT…
import assert from 'node:assert/strict';

const clients = {
  // the client of the protocols up to 2025-11-25
  async sdk() {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    return { Client, StdioClientTransport, StreamableHTTPClientTransport, options: {} };
  },
  // that of 2026-07-28, which has no sessions
  async modern() {
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    const options = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
    return { Client, StdioClientTransport, StreamableHTTPClientTransport, options };
  },
};

const [library, target, ...args] = process.argv.slice(2);
const { Client, StdioClientTransport, StreamableHTTPClientTransport, options } = await clients[library]();
const transport = target.startsWith('http:')
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, stderr: 'inherit', env: process.env });
let protocol; // which of its versions was agreed upon
const setProtocolVersion = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (version) => {
  protocol = version;
  setProtocolVersion?.(version);
};
const client = new Client({ name: `test-${library}`, version: '1' }, options);
await client.connect(transport);

const { tools } = await client.listTools(); // from now on the client validates what they answer
const { resourceTemplates } = await client.listResourceTemplates();
const { resources } = await client.listResources();

// call returns what a tool answers; text and structure tell the same.
async function call(name, args, { fails = false } = {}) {
  const result = await client.callTool({ name, arguments: args });
  const told = result.content.map((c) => c.text).join('\n');
  assert.equal(Boolean(result.isError), fails, `${name} ${JSON.stringify(args)}: ${told}`);
  const facts = result.structuredContent;
  for (const [field, value] of Object.entries(facts)) {
    assert.ok(told.includes(`${field}:`), `${name}: the text does not tell ${field}: ${told}`);
    if (['string', 'number'].includes(typeof value)) {
      for (const line of String(value).split('\n')) assert.ok(told.includes(line), `${name}: the text does not tell that ${field} is ${value}: ${told}`);
    }
  }
  return facts;
}

async function read(uri) {
  const { contents } = await client.readResource({ uri });
  assert.equal(contents.length, 1, uri);
  return contents[0].text;
}

// pick takes one of the moves: other ones by another number, the same by the same.
const pick = (moves, n) => moves[(n * 7 + 3) % moves.length];

// game plays to the end, and returns the states in which it was to move.
async function game(wanted) {
  const seen = [];
  let state = await call('new_game', wanted);
  for (; state.result === '*'; state = await call('play', { game: state.game, move: pick(state.moves, seen.length), ply: state.ply })) {
    assert.equal(state.turn, state.you);
    seen.push(state);
  }
  return { seen, state };
}

const wanted = { rules: 'dilemma target=13', opponent: 'casual', side: 'second', seed: Number.MAX_SAFE_INTEGER, show_moves: true };
const rules = await read('duel://rules/dilemma%20target=13');
const { seen, state } = await game(wanted);
const again = await game(wanted); // what the computer does follows from the seed
const report = await call('report', { game: state.game });

// faults: what they cost, and what is told
const other = await call('new_game', { rules: 'highest', opponent: 'perfect', side: 'first', start: 'won', seed: 7 });
const illegal = await call('play', { game: other.game, move: '0a' }, { fails: true });
const unreadable = await call('play', { game: other.game, move: 'my best move' }, { fails: true });
const rounded = await call('new_game', { seed: Number.MAX_SAFE_INTEGER + 1 }, { fails: true });
const { moves } = await call('legal_moves', { game: other.game });
const early = await call('report', { game: other.game }, { fails: true });

// an exam, and a game in other words
let item = await call('next_item', { rules: 'highest', items: 3, seed: Number.MAX_SAFE_INTEGER, show_moves: true });
for (let answered = { remaining: 1 }; answered.remaining > 0; ) {
  answered = await call('answer', { exam: item.exam, item: item.item, move: item.moves[0] });
  if (answered.remaining > 0) item = await call('next_item', { exam: item.exam });
}
const exam = await call('report', { exam: item.exam });
const veiled = await game({ rules: 'reverse', disguise: 7, show_moves: true, seed: 1 });
const unveiled = await call('report', { game: veiled.state.game });

console.log(JSON.stringify({
  protocol, tools, resourceTemplates, resources, rules, seen, state, again: again.state.played, report,
  other, illegal, unreadable, rounded, moves, early, exam, veiled, unveiled,
}));
await client.close();
