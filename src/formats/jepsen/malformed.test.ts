/** Invalid Jepsen histories: each gets its exact message with its position. */
import { describe, expect, test } from 'vitest';
import { objects } from '../../objects/registry.js';
import { FormatError, type ReadOptions } from '../common/reader.js';
import { parseHistory } from '../read-history.js';

const PARTIAL = '; if the end of the file is missing, check reads the rest with --partial';

function complaint(text: string, options?: ReadOptions): string {
  try {
    parseHistory(text, options);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return error.message;
  }
  return 'accepted';
}

const as = (name: string, more: ReadOptions = {}): ReadOptions => {
  const spec = objects[name]({});
  return { jepsen: () => spec.jepsen, methodsOf: () => Object.keys(spec.methods), ...more };
};

const CALL = '{:process 0, :type :invoke, :f :read, :value nil}';
const OK = '{:process 0, :type :ok, :f :read, :value 1}';
const LOGGED = 'INFO  jepsen.util - ';

type Row = readonly [claim: string, lines: readonly string[], message: string];
function expectComplaints(rows: readonly Row[], options?: ReadOptions): void {
  test.each(rows)('%s', (_claim, lines, message) => {
    expect(complaint(lines.join('\n'), options)).toBe(message);
  });
}

describe('a text that is no EDN', () => {
  expectComplaints([
    [
      'a map cut off',
      [CALL, '{:process 0, :type'],
      `line 2, column 19: expected a value, found the end of the text${PARTIAL}`,
    ],
    [
      'a map cut off within a string',
      [CALL, '{:process 0, :value "ab'],
      `line 2, column 24: expected a string with a closing double quote and valid EDN escapes, found the end of the text${PARTIAL}`,
    ],
    [
      'a map that misses its end, with more after it',
      ['{:process 0, :type :invoke', CALL, OK],
      `line 3, column 44: expected a value or "}", found the end of the text, in what begins on line 1${PARTIAL}`,
    ],
    [
      'a vector that is not closed',
      [`[${CALL}`, OK],
      `line 2, column 44: expected "]" for the bracket on line 1, found the end of the text${PARTIAL}`,
    ],
    [
      'a vector closed by another bracket',
      [`[${CALL}`, `${OK})`],
      'line 2, column 44: expected a value, found ")"',
    ],
    [
      'something after the vector',
      [`[${CALL}`, `${OK}]`, CALL],
      'line 3, column 1: expected the end of the text after the closing bracket',
    ],
    ['a bracket too many', [CALL, `${OK}}`], 'line 2, column 44: expected a value, found "}"'],
    [
      'a key without a value',
      [CALL, '{:process 0, :type}'],
      'line 2, column 19: expected a value, found "}"',
    ],
    [
      'brackets that do not match',
      ['{:process 0, :value [1 2}}'],
      'line 1, column 25: expected a value or "]", found "}"',
    ],
    [
      'a number that is none',
      ['{:process 0, :value 12abc}'],
      'line 1, column 21: expected a number, found "12abc"',
    ],
    [
      'a field twice',
      ['{:process 0,', ' :type :ok, :type :fail}'],
      'line 2, column 13: duplicate :type in one map, in what begins on line 1',
    ],
    [
      'an event that is no map',
      ['[[1 2]]', CALL],
      'line 1, column 1: unknown format: the text starts with "[[1 2]]"; expected JSON objects ({…}, one per line or in an array) or EDN of Jepsen ({:…}) or a log of Jepsen. A list holds one object {…} for each operation or event',
    ],
    [
      'a value nested too deeply',
      [`{:value ${'['.repeat(2000)}`],
      `line 1, column 1008: nested deeper than 1000 levels${PARTIAL}`,
    ],
    [
      'two formats mixed',
      [CALL, '{"process":0,"type":"ok"}'],
      'line 2, column 21: expected a keyword, found "\\""',
    ],
  ]);
});

describe('an invalid event', () => {
  expectComplaints([
    [
      'no type',
      ['{:process 0, :f :read}'],
      'line 1, column 1: missing type; expected invoke, ok, fail, info',
    ],
    [
      'a type that there is not',
      ['{:process 0, :type :call, :f :read}'],
      'line 1, column 20: unknown event type "call"; expected invoke, ok, fail, info',
    ],
    ['no f', ['{:process 0, :type :invoke}'], 'line 1, column 1: missing f; expected a function name'],
    [
      'an f that is no name',
      ['{:process 0, :type :invoke, :f [1]}'],
      'line 1, column 32: invalid f [1]; expected a name',
    ],
    ['no process', ['{:type :invoke, :f :read}'], 'line 1, column 1: missing process; expected an integer'],
    [
      'a process that is a fraction',
      ['{:process 0.5, :type :invoke, :f :read}'],
      'line 1, column 11: invalid process 0.5 of an event of type invoke; expected an integer',
    ],
    [
      'a client with a name, who would not be checked',
      ['{:process "c1", :type :invoke, :f :read}'],
      'line 1, column 11: invalid process "c1" of an event of type invoke; expected an integer',
    ],
  ]);
});

describe('events that contradict each other', () => {
  expectComplaints([
    ['an ok without a call', [CALL, OK, OK], 'line 3, column 11: ok of read, but process 0 has no open call'],
    [
      'an info without a call',
      ['{:process 3, :type :info, :f :read}'],
      'line 1, column 11: info of read, but process 3 has no open call',
    ],
    [
      'a second call',
      [CALL, '{:process 0,', ' :type :invoke, :f :write}'],
      'line 2, column 11: process 0 calls write while its call of read is open (line 1)',
    ],
    [
      'an ok of another f',
      [CALL, '{:process 0, :type :ok, :f :write, :value 1}'],
      'line 2, column 28: ok of write, but process 0 has called read (line 1)',
    ],
    [
      'a fail of another f',
      ['', CALL, '  {:process 0, :type :fail, :f :write}'],
      'line 3, column 32: fail of write, but process 0 has called read (line 2)',
    ],
    [
      'nothing but what is discarded',
      ['#_ {:process 0}'],
      'line 1, column 1: no events found; expected events of type invoke, ok, fail or info',
    ],
  ]);
});

describe('events that the object does not support', () => {
  expectComplaints(
    [
      [
        'an f that there is not',
        ['{:process 0, :type :invoke, :f :drain}'],
        'line 1, column 32: unknown f "drain"; the object has write, read, cas',
      ],
      [
        'a cas without a pair',
        ['{:process 0, :type :invoke, :f :cas, :value 5}'],
        'line 1, column 45: unexpected value 5 of cas; expected [old new]',
      ],
      [
        'values with keys',
        ['{:process 0, :type :invoke, :f :read, :value [1 nil]}'],
        'line 1, column 46: unexpected value [1, null] of read, which has no argument; if every value is a [key value], use --independent',
      ],
    ],
    as('cas-register'),
  );
  expectComplaints(
    [
      [
        'the owner of a lock is missing',
        ['{:process 0, :type :invoke, :f :acquire, :value nil}'],
        'line 1, column 49: acquire has the value nil; expected the owner. For a mutex without owners, use --spec mutex',
      ],
    ],
    as('owned-mutex'),
  );
  expectComplaints(
    [
      [
        'a key is missing',
        ['{:process 0, :type :invoke, :f :get, :value "k"}'],
        'line 1, column 45: get has no :key',
      ],
      [
        'an answer that is neither true nor false',
        [
          '{:process 0, :type :invoke, :f :remove, :key 1}',
          '{:process 0, :type :ok, :f :remove, :key 1, :value 1}',
        ],
        'line 2, column 52: unexpected result 1 of remove; expected true or false',
      ],
    ],
    as('map'),
  );
});

describe('independent keys', () => {
  const call = '{:process 0, :type :invoke, :f :read, :value [1 nil]}';
  expectComplaints(
    [
      [
        'a value without a key',
        ['{:process 0, :type :invoke, :f :read, :value nil}'],
        'line 1, column 46: invalid value null; expected [key value] (--independent)',
      ],
      [
        'an ok with another key',
        [call, '{:process 0, :type :ok, :f :read, :value [2 5]}'],
        'line 2, column 42: an ok with key "2", but the call has key "1" (line 1)',
      ],
      [
        'an ok without a key',
        [call, '{:process 0, :type :ok, :f :read, :value 5}'],
        'line 2, column 42: invalid value 5; expected [key value] (--independent)',
      ],
      [
        'two keys of one name',
        [call, '{:process 1, :type :invoke, :f :read, :value ["1" nil]}'],
        'line 2, column 46: two different keys are both printed as 1; expected keys of one type',
      ],
    ],
    as('register', { independent: true }),
  );
});

describe('Jepsen in JSON', () => {
  const invoked = '{"process":0,"type":"invoke","f":"read","value":null}';
  expectComplaints([
    [
      'an object cut off',
      [invoked, '{"process":0,"type"'],
      `line 2, column 20: expected ":", found the end of the text${PARTIAL}`,
    ],
    [
      'an ok without a call',
      ['{"process":1,"type":"ok","f":"read"}'],
      'line 1, column 12: ok of read, but process 1 has no open call',
    ],
    [
      'objects without a comma between them',
      [`[${invoked}`, `${invoked}]`],
      'line 2, column 1: expected "," before this value',
    ],
    [
      'a process in quotes',
      ['{"process":"0","type":"invoke","f":"read"}'],
      'line 1, column 12: invalid process "0" of an event of type invoke; expected an integer',
    ],
    [
      'a number too large',
      ['{"process":0,"type":"invoke","f":"write","value":1e999}'],
      'line 1, column 50: the number is too large; expected one below 1.8e308',
    ],
    ['a line that is a number', [invoked, '17'], 'line 2, column 1: expected an object {…}, found 17'],
    [
      'our own event among them',
      [invoked, '{"type":"return","process":0}'],
      'line 2, column 9: unknown event type "return"; expected invoke, ok, fail, info',
    ],
  ]);
});

describe('a log of Jepsen', () => {
  expectComplaints([
    [
      'a line cut off',
      [`${LOGGED}0\t:invoke\t:read\tnil`, `${LOGGED}0\t:ok\t:re`],
      'line 2, column 30: expected a value, found the end of the text',
    ],
    [
      'a line cut off within its type',
      [`${LOGGED}0\t:invoke\t:read\tnil`, `${LOGGED}0\t:inv`],
      'line 2, column 27: expected a value, found the end of the text',
    ],
    [
      'more than a value',
      [`${LOGGED}0\t:invoke\t:read\tnil\t5`],
      'line 1, column 41: expected the end of the line, found "5"',
    ],
    [
      'an ok without a call',
      [`${LOGGED}0\t:ok\t:read\t5`],
      'line 1, column 21: ok of read, but process 0 has no open call',
    ],
    [
      'a value that is no EDN',
      [`${LOGGED}0\t:invoke\t:write\t[1 2`],
      'line 1, column 42: expected a value or "]", found the end of the text',
    ],
    [
      'no event at all',
      ['INFO  jepsen.core - hello', 'INFO  jepsen.core - bye'],
      'line 1, column 1: no events found; expected events of type invoke, ok, fail or info',
    ],
  ]);
});
