/** Small files of every format, and random changes that may make them invalid. */
import { Buffer } from 'node:buffer';
import type { Random } from '../../../src/base/random.js';

export const FILES: Readonly<Record<string, readonly string[]>> = {
  operations: [
    '{"process":"A","method":"enqueue","args":[1],"result":null,"call":10,"return":14}',
    '{"process":"B","method":"dequeue","args":[],"result":1,"call":12,"return":19}',
    '{"process":"C","method":"enqueue","args":[{"a":[1,"x",null,true]}],"call":13}',
    '{"process":"B","method":"peek","threw":"Closed","call":19,"return":20.5}',
    '{"process":"A","method":"peek","failed":"no leader","call":15,"return":16}',
    '{"process":"A","method":"peek","unknown":"timeout","call":17,"return":18}',
    '{"annotation":"node 2 killed","at":17}',
    '{"stuck":true}',
  ],
  events: [
    '{"annotation":"start"}',
    '{"type":"call","id":1,"process":"A","method":"enqueue","args":[1]}',
    '{"type":"call","id":"2","process":"A","method":"enqueue","args":[2],"object":"orders"}',
    '{"type":"call","process":7,"method":"dequeue"}',
    '{"type":"return","process":"A","id":"2","result":null}',
    '{"type":"return","process":7,"result":{"$":"undefined"}}',
    '{"type":"call","process":7,"method":"dequeue"}',
    '{"type":"throw","process":7,"threw":"Closed"}',
    '{"type":"failed","process":"A","id":1,"failed":"no"}',
    '{"type":"call","process":"A","method":"f","meta":{"line":3}}',
    '{"type":"unknown","process":"A"}',
    '{"stuck":true}',
  ],
  tags: [
    '{"process":"ä€😀","method":"put","args":[{"$":"bigint","value":"5"},{"$":"Date","value":17}],"call":1,"return":2}',
    '{"process":"B","method":"put","args":[{"$":"Map","value":[[1,{"$":"NaN"}]]},{"$":"Set","value":["a"]}],"call":1,"return":2}',
    '{"process":"C","method":"put","args":[{"$":"object","value":{"$":1}},{"__proto__":"\\u0041\\n"}],"call":1,"return":2}',
    '{"process":"D","method":"put","args":[12345678901234567890,1.5e3,-0.25],"call":1,"return":2}',
  ],
  'big stamps and order': [
    '{"id":1,"process":"A","method":"f","call":1699999999123456789,"return":1699999999123456790}',
    '{"id":2,"process":"A","method":"f","call":1699999999123456789,"return":1699999999123456790,"after":[1]}',
    '{"id":3,"process":"A","method":"f","call":1699999999123456788,"after":[2,"1"]}',
    '{"id":4,"process":"B","method":"f","call":1699999999123456790.5,"return":1.7e18}',
    '{"annotation":"x","at":1699999999123456789.75}',
  ],
  'operations in an array': [
    '[',
    '  {"process":"A","method":"enqueue","args":[1],"result":null,',
    '   "call":10,"return":14},',
    '  {"process":"ä€😀","method":"dequeue","args":[],"result":"]}","call":12,"return":19},',
    '  {"process":"A","method":"peek","threw":"Closed","call":19,"return":20.5}',
    ']',
  ],
  'Jepsen events in EDN': [
    '; a history',
    '{:process 0, :type :invoke, :f :write, :value "ä€😀", :time 17, :index 0}',
    '{:process 1, :type :invoke, :f :read, :value nil}',
    '#jepsen.history.Op{:process :nemesis, :type :info, :f :start, :value #{:n1 "n2"}}',
    '{:process 0, :type :info, :f :write, :error [:timeout 5.0M]}',
    '{:process 1, :type :ok, :f :read, :value {:a \\{ 1/3 #inst "2024-01-31T12:30:00Z"}}',
    '#_{:process 7} {:process 0, :type :invoke, :f :cas, :index 3 :value [9007199254740993 2N]}',
    '{:process 0, :type :fail, :f :cas, :index 3 :value [9007199254740993 2N]}',
  ],
  'Jepsen events in one vector': [
    '[{:process 0, :type :invoke, :f :add, :value [1 2]}',
    ' {:process 0, :type :ok, :f :add,',
    '  :value [1 2]} ; done',
    ' {:process 0, :type :invoke, :f :read} {:process 0, :type :ok, :f :read, :value #{[1 2]}}]',
  ],
  'Jepsen events in JSON': [
    '{"process":0,"type":"invoke","f":"write","value":"ä€😀"}',
    '{"process":"nemesis","type":"info","f":"start","value":{"n1":[1]}}',
    '{"process":0,"type":"info","f":"write","value":5,"error":"timeout"}',
    '{"process":0,"type":"invoke","f":"read","value":null,"time":1}',
    '{"process":0,"type":"ok","f":"read","value":{"a":[9007199254740993]}}',
  ],
  'a Jepsen log': [
    '2024-01-31 12:30:00,000{GMT}\tINFO\t[main] jepsen.cli: Test options {:a 1}',
    'INFO  jepsen.util - 0\t:invoke\t:read\tnil',
    '2024-01-31 12:30:01,000{GMT}\tINFO\t[jepsen worker 1] jepsen.util: 1\t:invoke\t:cas\t[1 2]',
    'INFO  jepsen.util - :nemesis\t:info\t:start\t"Cut off {:n1 #{:n2}}"',
    'INFO  jepsen.util - 0\t:ok\t:read\t{:a "ä€😀"}',
    'INFO  jepsen.util - 1\t:info\t:cas\t:timed-out\tjava.net.Timeout: {',
    'INFO  jepsen.util - 1\t:invoke\t:write\t3',
  ],
};

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\w+|\s+|./gs;
const INSERTED = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\n',
    '\r',
    ' ',
    '\t',
    '\0',
    '\u007f',
    '\ufeff',
    '\ud83d',
    '-',
    '.',
    'e',
  ],
  ...[
    'null',
    'true',
    '0',
    '1e999',
    '9'.repeat(31),
    '"$"',
    '{"$":"Map"}',
    '"id"',
    '"__proto__":1,',
    '"stuck":true,',
    '\\u00',
  ],
  ...['(', ')', '#', '#_', '#{', ';', ':', 'nil', '\\{', '1/2', ':process 0', 'jepsen.util - ', '#t '],
];

/** Changes a file in one place. */
const MUTATIONS: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  // bytes
  (bytes, random) => cut(bytes, random.below(bytes.length), 1 + random.below(4)),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes, random) => bytes.subarray(random.below(bytes.length)),
  (bytes, random) =>
    splice(bytes, random, Buffer.from(Array.from({ length: 1 + random.below(4) }, () => random.below(256)))),
  (bytes, random) => splice(bytes, random, Buffer.from(random.pick(INSERTED))),
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    changed[random.below(bytes.length)] ^= 1 << random.below(8);
    return changed;
  },
  // tokens
  (bytes, random) => inPieces(bytes, random, TOKEN, (tokens, at) => tokens.splice(at, 1)),
  (bytes, random) => inPieces(bytes, random, TOKEN, (tokens, at) => tokens.splice(at, 0, tokens[at])),
  (bytes, random) => inPieces(bytes, random, TOKEN, swap),
  (bytes, random) =>
    inPieces(bytes, random, TOKEN, (tokens, at) => tokens.splice(at, 1, random.pick(tokens))),
  (bytes, random) =>
    inPieces(bytes, random, /\d|\D+/g, (tokens, at) => {
      if (/^\d$/.test(tokens[at])) tokens[at] = String(random.below(10));
    }),
  // lines
  (bytes, random) => inPieces(bytes, random, /.*\n/g, (lines, at) => lines.splice(at, 1)),
  (bytes, random) => inPieces(bytes, random, /.*\n/g, (lines, at) => lines.splice(at, 0, random.pick(lines))),
  (bytes, random) => inPieces(bytes, random, /.*\n/g, swap),
  (bytes, random) => splice(bytes, random, Buffer.from(`${random.pick(Object.values(FILES).flat())}\n`)),
];

const cut = (bytes: Buffer, at: number, length: number): Buffer =>
  Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);

function splice(bytes: Buffer, random: Random, inserted: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
}

function inPieces(
  bytes: Buffer,
  random: Random,
  piece: RegExp,
  change: (pieces: string[], at: number, random: Random) => unknown,
): Buffer {
  const pieces = bytes.toString().match(piece) ?? [''];
  change(pieces, random.below(pieces.length), random);
  return Buffer.from(pieces.join(''));
}

function swap(pieces: string[], at: number, random: Random): void {
  const other = random.below(pieces.length);
  [pieces[at], pieces[other]] = [pieces[other], pieces[at]];
}

/** A file, changed in one to three places. */
export function mutated(lines: readonly string[], random: Random): Buffer {
  let bytes: Buffer = Buffer.from(`${lines.join('\n')}\n`);
  const times = 1 + random.below(3);
  for (let i = 0; i < times && bytes.length > 0; i++) bytes = random.pick(MUTATIONS)(bytes, random);
  return bytes;
}
