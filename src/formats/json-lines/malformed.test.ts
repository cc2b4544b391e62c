/** Invalid files of the JSON format: each gets its exact message. */
import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { expectSameWithoutFastPath } from '../../../test/support/oracles/both-ways.js';
import { FormatError, type ReadOptions } from '../common/reader.js';
import { parseHistory } from '../read-history.js';

type Row = readonly [claim: string, lines: string | readonly string[], message: string];

/** The message of the FormatError of a text; fails if the text is accepted or another error is thrown. */
function complaint(text: string | Uint8Array, options?: ReadOptions): string {
  try {
    parseHistory(text, options);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    expect(error.message).toBe(`line ${error.line}, column ${error.column}: ${error.detail}`);
    return error.message;
  }
  return 'accepted';
}

function expectComplaints(rows: readonly Row[], options?: ReadOptions): void {
  test.each(rows)('%s', (_claim, lines, message) => {
    const text = typeof lines === 'string' ? lines : lines.join('\n');
    expect(complaint(text, options)).toBe(message);
    expectSameWithoutFastPath([Buffer.from(text)], options);
  });
}

/** A valid operation. */
const GOOD = '{"process":"Z","method":"f","call":1,"return":2}';
/** A valid event. */
const CALL = '{"type":"call","process":"A","method":"f"}';

const EXPECTED_FIELDS =
  'of an operation; expected process, method, args, object, id, after, meta, result, threw, failed, unknown, call, return';
const NO_STRING = 'expected a string with a closing double quote and escaped control characters, found';
const CUT_BETWEEN =
  ': the line is cut off, or its record continues on the next line; write each record on one line, or remove this one';
const CUT = `${CUT_BETWEEN}; if the end of the file is missing, check reads the rest with --partial`;

describe('a text that is no JSON', () => {
  expectComplaints([
    [
      'a line cut off within a name is an error',
      '{"process":"A","meth',
      `line 1, column 21: expected a closing double quote, found the end of the text${CUT}`,
    ],
    [
      'a line cut off within a value is an error',
      [GOOD, '{"process":"A","method":"enq'],
      `line 2, column 29: expected a closing double quote, found the end of the text${CUT}`,
    ],
    [
      'a line cut off after a colon is an error',
      [GOOD, '{"process":'],
      `line 2, column 12: expected a JSON value, found the end of the text${CUT}`,
    ],
    [
      'a line cut off after a comma is an error',
      [GOOD, '{"process":"A",'],
      `line 2, column 16: expected a field name in double quotes, found the end of the text${CUT}`,
    ],
    [
      'a line cut off within its arguments is an error',
      [GOOD, '{"process":"A","args":[1,2'],
      `line 2, column 27: expected "," or "]", found the end of the text${CUT}`,
    ],
    [
      'a line cut off before its last bracket is an error',
      [GOOD, '{"process":"A","call":1', GOOD],
      `line 2, column 24: expected "," or "}", found the end of the text${CUT_BETWEEN}`,
    ],
    [
      'a line cut off after its first bracket is an error',
      [GOOD, '{'],
      `line 2, column 2: expected a field name in double quotes, found the end of the text${CUT}`,
    ],
    [
      'a line cut off within a big time is an error',
      [GOOD, '{"process":"A","call":1700000000000000000'],
      `line 2, column 42: expected "," or "}", found the end of the text${CUT}`,
    ],
    [
      'a comma too many is an error',
      '{"process":"A","method":"f","call":1,}',
      'line 1, column 38: expected a field name in double quotes, found "}"',
    ],
    [
      'a comma too few is an error',
      '{"process":"A" "method":"f","call":1}',
      'line 1, column 16: expected "," or "}", found "\\""',
    ],
    [
      'a name without quotes is an error',
      '{"process":"A",method:"f","call":1}',
      'line 1, column 16: expected a field name in double quotes, found "method"',
    ],
    ['single quotes are an error', `{"process":'A'}`, `line 1, column 12: expected a JSON value, found "'"`],
    [
      'two records in one line are an error',
      `${GOOD} ${GOOD}`,
      'line 1, column 50: expected the end of the line, found "{"',
    ],
    [
      'a record over two lines is an error',
      ['{"process":"A",', '"method":"f","call":1}'],
      `line 1, column 16: expected a field name in double quotes, found the end of the text${CUT_BETWEEN}`,
    ],
    ['a comment is an error', [GOOD, '// the end'], 'line 2, column 1: expected a JSON value, found "/"'],
    [
      'NaN is no JSON',
      '{"process":"A","method":"f","args":[NaN],"call":1}',
      'line 1, column 37: expected a JSON value, found "NaN"',
    ],
    [
      'a number with a leading zero is no JSON',
      '{"process":"A","method":"f","call":01}',
      'line 1, column 37: expected "," or "}", found "1"',
    ],
    [
      'a number that ends in a point is no JSON',
      '{"process":"A","method":"f","call":1.}',
      'line 1, column 37: expected "," or "}", found "."',
    ],
    [
      'a hexadecimal number is no JSON',
      '{"process":"A","method":"f","call":0x10}',
      'line 1, column 37: expected "," or "}", found "x10"',
    ],
    [
      'a plus before a number is no JSON',
      '{"process":"A","method":"f","call":+1}',
      'line 1, column 36: expected a JSON value, found "+1"',
    ],
    [
      'a bad escape is an error',
      '{"process":"A","method":"\\x41","call":1}',
      `line 1, column 26: ${NO_STRING} "\\\\"`,
    ],
    [
      'a short \\u escape is an error',
      '{"process":"A","method":"\\u41","call":1}',
      `line 1, column 26: ${NO_STRING} "\\\\"`,
    ],
    [
      'a tab within a text is an error',
      '{"process":"A","method":"f\tg","call":1}',
      `line 1, column 27: ${NO_STRING} "\\t"`,
    ],
    [
      'a carriage return within a text is an error',
      '{"process":"A","method":"f\rg","call":1}',
      `line 1, column 27: ${NO_STRING} "\\r"`,
    ],
    [
      'a NUL within a text is an error',
      '{"process":"A","method":"f\0","call":1}',
      `line 1, column 27: ${NO_STRING} "\\u0000"`,
    ],
    [
      'a NUL between fields is an error',
      '{"process":"A",\0"method":"f","call":1}',
      'line 1, column 16: expected a field name in double quotes, found "\\u0000"',
    ],
    [
      'a line of NULs is an error',
      [GOOD, '\0\0\0'],
      'line 2, column 1: expected a JSON value, found "\\u0000"',
    ],
    [
      'what a terminal would obey is shown, not obeyed',
      '{"process":\u009b31m}',
      'line 1, column 12: expected a JSON value, found "\\u{9b}"',
    ],
    [
      'arguments nested too deep are an error',
      `{"process":"A","method":"f","args":${'['.repeat(1001)}${']'.repeat(1001)},"call":1}`,
      'line 1, column 1035: nested deeper than 1000 levels',
    ],
    [
      'a result nested too deep in objects is an error',
      `{"process":"A","method":"f","call":1,"return":2,"result":${'{"a":['.repeat(2000)}${']}'.repeat(2000)}}`,
      'line 1, column 3057: nested deeper than 1000 levels',
    ],
  ]);
});

describe('a number that is too large', () => {
  expectComplaints([
    [
      'is not taken for infinity among arguments',
      '{"process":"A","method":"write","args":[[1e999]],"call":1,"return":2}',
      'line 1, column 40: the number is too large; expected one below 1.8e308',
    ],
    [
      'is not taken for infinity as a result',
      '{"process":"A","method":"read","args":[],"result":-1e400,"call":1,"return":2}',
      'line 1, column 51: the number is too large; expected one below 1.8e308',
    ],
  ]);
});

describe('a text of no format', () => {
  expectComplaints([
    [
      'a first line that is a list is no format',
      '[1,2]\n',
      'line 1, column 1: unknown format: the text starts with "[1,2]"; expected JSON objects ({…}, one per line or in an array) or EDN of Jepsen ({:…}) or a log of Jepsen. A list holds one object {…} for each operation or event',
    ],
    [
      'a first line that is a number is no format',
      '17\n',
      'line 1, column 1: unknown format: the text starts with "17"; expected JSON objects ({…}, one per line or in an array) or EDN of Jepsen ({:…}) or a log of Jepsen',
    ],
    [
      'plain words after blank lines are an error with their position',
      '\n\r\n  hello world\r\nyes',
      'line 3, column 3: unknown format: the text starts with "hello world"; expected JSON objects ({…}, one per line or in an array) or EDN of Jepsen ({:…}) or a log of Jepsen',
    ],
    [
      'NULs are no format',
      '\0\0\0\0',
      'line 1, column 1: unknown format: the text starts with "\\u0000\\u0000\\u0000\\u0000"; expected JSON objects ({…}, one per line or in an array) or EDN of Jepsen ({:…}) or a log of Jepsen',
    ],
    [
      'an object without quotes is no format',
      '{process:"A"}',
      'line 1, column 1: unknown format: the text starts with "{process:\\"A\\"}"; expected JSON objects ({…}, one per line or in an array) or EDN of Jepsen ({:…}) or a log of Jepsen. Field names need double quotes',
    ],
    [
      'a later line that is a list is an error',
      [GOOD, '[1,2]'],
      'line 2, column 1: expected an object {…}, found [1, 2]',
    ],
    [
      'a later line that is a number is an error',
      [GOOD, '17'],
      'line 2, column 1: expected an object {…}, found 17',
    ],
    [
      'a later line that is a text is an error',
      [GOOD, '"hello"'],
      'line 2, column 1: expected an object {…}, found "hello"',
    ],
    [
      'a later line that is null is an error',
      [GOOD, 'null'],
      'line 2, column 1: expected an object {…}, found null',
    ],
    [
      'a later line that is a large number is an error',
      [GOOD, '12345678901234567890'],
      'line 2, column 1: expected an object {…}, found 12345678901234567890n',
    ],
    [
      'a later line of EDN is an error',
      [GOOD, '{:process 0}'],
      'line 2, column 2: expected a field name in double quotes, found ":"',
    ],
    [
      'a later line that is an empty text is an error',
      [GOOD, '', '""'],
      'line 3, column 1: expected an object {…}, found ""',
    ],
    [
      'an empty object is an error',
      '{}',
      'line 1, column 1: missing "process"; expected the name of the caller',
    ],
    [
      'a text that continues after stuck is an error',
      [GOOD, '{"stuck":true}', '', GOOD],
      'line 4, column 1: a line after {"stuck":true} (line 2), which must be the last',
    ],
    [
      'stuck twice is an error',
      ['{"stuck":true}', '{"stuck":true}'],
      'line 2, column 1: a line after {"stuck":true} (line 1), which must be the last',
    ],
  ]);

  test('bytes that are not UTF-8 are an error with their position', () => {
    const bytes = Buffer.from(`${GOOD}\n{"process":"ä\ufffd*","method":"f","call":1}\n`);
    bytes[bytes.indexOf('*')] = 0xff;
    expect(complaint(bytes)).toBe('line 2, column 15: the byte 0xff is not UTF-8; expected text');
  });

  test('a character cut off by the end of the file is an error', () => {
    expect(complaint(Buffer.concat([Buffer.from(`${GOOD}\n{"process":"`), Buffer.of(0xe2, 0x82)]))).toBe(
      'line 2, column 13: the byte 0xe2 is not UTF-8; expected text',
    );
  });

  test('a line of more than 64 MB is an error', () => {
    const bytes = Buffer.alloc(64 * 1024 * 1024 + 1 + GOOD.length + 1, ' ');
    bytes.write(`${GOOD}\n`);
    bytes.write('{"process":', GOOD.length + 1);
    expect(complaint(bytes)).toBe(
      'line 2, column 1: the line is longer than 64 MB; expected one record per line',
    );
  });
});

describe('a field of the wrong type', () => {
  expectComplaints([
    [
      'a process is no list',
      '{"process":["A"],"method":"f","call":1}',
      'line 1, column 12: invalid "process" ["A"]; expected a name or an integer',
    ],
    [
      'a process is no decimal',
      '{"process":1.5,"method":"f","call":1}',
      'line 1, column 12: invalid "process" 1.5; expected a name or an integer',
    ],
    [
      'a process is not null',
      '{"process":null,"method":"f","call":1}',
      'line 1, column 12: invalid "process" null; expected a name or an integer',
    ],
    [
      'a process is no truth value',
      '{"process":true,"method":"f","call":1}',
      'line 1, column 12: invalid "process" true; expected a name or an integer',
    ],
    [
      'a method is no number',
      '{"process":"A","method":7,"call":1}',
      'line 1, column 25: invalid "method" 7; expected a string',
    ],
    [
      'a method is not null',
      '{"process":"A","method":null,"call":1}',
      'line 1, column 25: invalid "method" null; expected a string',
    ],
    [
      'an object is no number',
      '{"object":1,"process":"A","method":"f","call":1}',
      'line 1, column 11: invalid "object" 1; expected a string',
    ],
    [
      'arguments are no single value',
      '{"process":"A","method":"f","args":5,"call":1}',
      'line 1, column 36: invalid "args" 5; expected a list [ … ]',
    ],
    [
      'arguments are no tagged undefined',
      '{"process":"A","method":"f","args":{"$":"undefined"},"call":1}',
      'line 1, column 36: invalid "args" undefined; expected a list [ … ]',
    ],
    [
      'arguments are no set',
      '{"process":"A","method":"f","args":{"$":"Set","value":[1]},"call":1}',
      'line 1, column 36: invalid "args" Set {1}; expected a list [ … ]',
    ],
    [
      'an id is no list',
      '{"id":[1],"process":"A","method":"f","call":1}',
      'line 1, column 7: invalid "id" [1]; expected a string or an integer',
    ],
    [
      'an id is no decimal',
      '{"id":0.5,"process":"A","method":"f","call":1}',
      'line 1, column 7: invalid "id" 0.5; expected a string or an integer',
    ],
    [
      '"after" is no single id',
      '{"after":1,"process":"A","method":"f","call":1}',
      'line 1, column 10: invalid "after" 1; expected a list of ids',
    ],
    [
      '"after" holds nothing but ids',
      '{"after":[1,null],"process":"A","method":"f","call":1}',
      'line 1, column 10: invalid "after" [1, null]; expected a list of ids',
    ],
    [
      'a thrown error is a text',
      '{"process":"A","method":"f","threw":{"name":"E"},"call":1,"return":2}',
      'line 1, column 37: invalid "threw" {name: "E"}; expected a string',
    ],
    [
      'a failure has a text as its reason',
      '{"process":"A","method":"f","failed":5,"call":1,"return":2}',
      'line 1, column 38: invalid "failed" 5; expected a string',
    ],
    [
      'a failure that is false is an error',
      '{"process":"A","method":"f","failed":false,"call":1}',
      'line 1, column 38: invalid "failed" false; expected a string',
    ],
    [
      'an unknown end has a text as its reason',
      '{"process":"A","method":"f","unknown":7,"call":1}',
      'line 1, column 39: invalid "unknown" 7; expected a string',
    ],
    [
      'stuck is true or not there',
      [GOOD, '{"stuck":false}'],
      'line 2, column 10: invalid "stuck" false; expected true',
    ],
    [
      'an annotation is a text',
      '{"annotation":5,"at":1}',
      'line 1, column 15: invalid "annotation" 5; expected a string',
    ],
    [
      'a type is a text',
      '{"type":1,"process":"A"}',
      'line 1, column 9: unknown event type 1; expected "call", "return", "throw", "failed" or "unknown"',
    ],
    [
      'a type is one of five',
      '{"type":"begin","process":0,"method":"read"}',
      'line 1, column 9: unknown event type "begin"; expected "call", "return", "throw", "failed" or "unknown"',
    ],
    [
      'the reason of a failed event is a text',
      [CALL, '{"type":"failed","process":"A","failed":1}'],
      'line 2, column 41: invalid "failed" 1; expected a string',
    ],
    [
      'a thrown event says what was thrown',
      [CALL, '{"type":"throw","process":"A"}'],
      'line 2, column 1: missing "threw"; expected a string',
    ],
  ]);
});

describe('an unknown field', () => {
  expectComplaints([
    [
      'a misspelt field is an error',
      '{"process":"A","method":"f","call":1,"retrun":2}',
      `line 1, column 47: unknown field "retrun" ${EXPECTED_FIELDS}`,
    ],
    [
      'a field of another case is an error',
      '{"Process":"A","method":"f","call":1}',
      `line 1, column 12: unknown field "Process" ${EXPECTED_FIELDS}`,
    ],
    [
      '"__proto__" is no field',
      '{"process":"A","method":"f","call":1,"__proto__":{"return":2}}',
      `line 1, column 50: unknown field "__proto__" ${EXPECTED_FIELDS}`,
    ],
    [
      '"constructor" is no field',
      '{"constructor":1,"process":"A","method":"f","call":1}',
      `line 1, column 16: unknown field "constructor" ${EXPECTED_FIELDS}`,
    ],
    [
      '"toString" is no field',
      '{"process":"A","method":"f","call":1,"toString":null}',
      `line 1, column 49: unknown field "toString" ${EXPECTED_FIELDS}`,
    ],
    [
      'an empty name is no field',
      '{"":1,"process":"A","method":"f","call":1}',
      `line 1, column 5: unknown field "" ${EXPECTED_FIELDS}`,
    ],
    [
      '"$" is no field',
      '{"$":"undefined","process":"A","method":"f","call":1}',
      `line 1, column 6: unknown field "$" ${EXPECTED_FIELDS}`,
    ],
    [
      'unknown field "at" of an operation',
      '{"process":"A","method":"f","call":1,"at":12345678901234567890}',
      `line 1, column 43: unknown field "at" ${EXPECTED_FIELDS}`,
    ],
    [
      'a call event has no time',
      '{"type":"call","process":"A","method":"f","call":1}',
      'line 1, column 50: unknown field "call" of a "call" line; expected process, method, args, object, id, after, meta, type',
    ],
    [
      'a call event has no result',
      '{"type":"call","process":"A","method":"f","result":1}',
      'line 1, column 52: unknown field "result" of a "call" line; expected process, method, args, object, id, after, meta, type',
    ],
    [
      'a return event has no method',
      [CALL, '{"type":"return","process":"A","method":"f"}'],
      'line 2, column 41: unknown field "method" of a "return" line; expected type, process, object, id, result, meta',
    ],
    [
      'a return event does not throw',
      [CALL, '{"type":"return","process":"A","threw":"E"}'],
      'line 2, column 40: unknown field "threw" of a "return" line; expected type, process, object, id, result, meta',
    ],
    [
      'an annotation has no process',
      '{"annotation":"x","at":1,"process":"A"}',
      'line 1, column 36: unknown field "process" of an annotation; expected annotation, at, until, meta',
    ],
    [
      'a stuck line has nothing else',
      '{"stuck":true,"at":5}',
      'line 1, column 20: unknown field "at" of a "stuck" line; expected stuck',
    ],
  ]);
});

describe('a field that is missing', () => {
  expectComplaints([
    [
      'an operation has a process',
      '{"method":"f","call":1}',
      'line 1, column 1: missing "process"; expected the name of the caller',
    ],
    [
      'an operation has a method',
      '{"process":"A","call":1}',
      'line 1, column 1: missing "method"; expected a string',
    ],
    [
      'an operation has a call',
      '{"process":"A","method":"f","return":1}',
      'line 1, column 1: missing "call", the time of the call',
    ],
    [
      'a call event has a method',
      '{"type":"call","process":"A"}',
      'line 1, column 1: missing "method"; expected a string',
    ],
    [
      'a return event has a process',
      [CALL, '{"type":"return"}'],
      'line 2, column 1: missing "process"; expected the name of the caller',
    ],
    [
      'a result needs a return',
      '{"process":"A","method":"f","result":1,"call":1}',
      'line 1, column 38: "result" without "return", the time of the return',
    ],
    [
      'an error needs a return',
      '{"process":"A","method":"f","threw":"Closed","call":1}',
      'line 1, column 37: "threw" without "return", the time of the return',
    ],
    [
      'an operation ends in one way',
      '{"process":"A","method":"f","result":1,"threw":"E","call":1,"return":2}',
      'line 1, column 48: both "result" and "threw"; an operation has one outcome',
    ],
    [
      'what failed has no unknown end',
      '{"process":"A","method":"f","unknown":"timeout","failed":"no","call":1,"return":2}',
      'line 1, column 39: both "failed" and "unknown"; an operation has one outcome',
    ],
    [
      'an annotation among operations has a time',
      [GOOD, '{"annotation":"node 2 killed"}'],
      'line 2, column 1: an annotation without "at", its time, but line 1 is an operation; expected operations, which have times',
    ],
    [
      'an annotation before operations has a time',
      ['{"annotation":"node 2 killed"}', GOOD],
      'line 2, column 1: an operation, but line 1 is an annotation without "at", its time; expected events, whose order is time',
    ],
  ]);
});

describe('an invalid time', () => {
  expectComplaints([
    [
      'a time is finite',
      '{"process":"A","method":"f","call":1e999}',
      'line 1, column 36: invalid "call" 1e999; expected a finite time',
    ],
    [
      'a return is finite',
      '{"process":"A","method":"f","call":1,"return":-1e999}',
      'line 1, column 47: invalid "return" -1e999; expected a finite time',
    ],
    [
      'the time of an annotation is finite',
      [GOOD, '{"annotation":"x","at":1e999}'],
      'line 2, column 24: invalid "at" 1e999; expected a finite time',
    ],
    [
      'a time in quotes is a number',
      '{"process":"A","method":"f","call":"10:30"}',
      'line 1, column 36: invalid "call" "10:30"; expected a number, the time of one clock, or a date such as "2024-01-31T12:30:00.25Z"',
    ],
    [
      'a big time in quotes is a number',
      '{"process":"A","method":"f","call":1,"return":"1700000000000000001n"}',
      'line 1, column 47: invalid "return" "1700000000000000001n"; expected a number, the time of one clock, or a date such as "2024-01-31T12:30:00.25Z"',
    ],
    [
      'a time is not null',
      '{"process":"A","method":"f","call":1,"return":null}',
      'line 1, column 47: invalid "return" null; expected a number, the time of one clock, or a date such as "2024-01-31T12:30:00.25Z"',
    ],
    [
      'a time is no truth value',
      '{"process":"A","method":"f","call":true}',
      'line 1, column 36: invalid "call" true; expected a number, the time of one clock, or a date such as "2024-01-31T12:30:00.25Z"',
    ],
    [
      'a time is no list',
      '{"process":"A","method":"f","call":[1]}',
      'line 1, column 36: invalid "call" [1]; expected a number, the time of one clock, or a date such as "2024-01-31T12:30:00.25Z"',
    ],
    [
      'a time is no tagged value',
      '{"process":"A","method":"f","call":{"$":"Infinity"}}',
      'line 1, column 36: invalid "call" {$: "Infinity"}; expected a number, the time of one clock, or a date such as "2024-01-31T12:30:00.25Z"',
    ],
    [
      'a missing return is not written as undefined',
      '{"process":"A","method":"f","call":1,"return":{"$":"undefined"}}',
      'line 1, column 47: invalid "return" {$: "undefined"}; expected a number, the time of one clock, or a date such as "2024-01-31T12:30:00.25Z"',
    ],
    [
      'a time has at most 30 digits',
      `{"process":"A","method":"f","call":${'1'.repeat(31)}}`,
      'line 1, column 36: "call" has 31 digits; expected at most 30',
    ],
    [
      'a decimal has at most 30 digits',
      `{"process":"A","method":"f","call":1,"return":1.${'1'.repeat(30)}}`,
      'line 1, column 47: "return" has 31 digits; expected at most 30',
    ],
    [
      'the time of an annotation has at most 30 digits',
      [GOOD, `{"annotation":"x","at":${'1'.repeat(400)}}`],
      'line 2, column 24: "at" has 400 digits; expected at most 30',
    ],
    [
      'a return is not before its call',
      '{"process":"A","method":"f","call":10,"return":9}',
      'line 1, column 48: the return at 9 comes before the call at 10',
    ],
    [
      'a return is not a nanosecond before its call',
      '{"process":"A","method":"f","call":1700000000000000002,"return":1700000000000000001}',
      'line 1, column 65: the return at 1700000000000000001 comes before the call at 1700000000000000002',
    ],
    [
      'who gave up did not do so before the call',
      '{"process":"A","method":"f","unknown":"timeout","call":1.5,"return":1.25}',
      'line 1, column 69: the return at 1.25 comes before the call at 1.5',
    ],
  ]);
});

describe('an unknown tag', () => {
  expectComplaints([
    [
      'an unknown tag is an error',
      '{"process":"A","method":"f","args":[{"$":"Symbol"}],"call":1}',
      'line 1, column 36: unknown tag {"$":"Symbol"}',
    ],
    [
      'a tag is a text',
      '{"process":"A","method":"f","args":[{"$":5}],"call":1}',
      'line 1, column 36: unknown tag {"$":5}',
    ],
    [
      'a bigint has digits',
      '{"process":"A","method":"f","args":[{"$":"bigint","value":"x"}],"call":1}',
      'line 1, column 36: invalid value of {"$":"bigint"}',
    ],
    [
      'a map has pairs',
      '{"process":"A","method":"f","args":[{"$":"Map","value":[1]}],"call":1}',
      'line 1, column 36: invalid value of {"$":"Map"}',
    ],
    [
      'a set has a list',
      '{"process":"A","method":"f","call":1,"return":2,"result":[{"$":"Set","value":5}]}',
      'line 1, column 58: invalid value of {"$":"Set"}',
    ],
    [
      'a wrapped object is one',
      '{"process":"A","method":"f","args":[{"$":"object","value":null}],"call":1}',
      'line 1, column 36: invalid value of {"$":"object"}',
    ],
    [
      'numbers are no bigints',
      '{"process":"A","method":"f","args":[{"$":"BigInt64Array","value":[1]}],"call":1}',
      'line 1, column 36: invalid value of {"$":"BigInt64Array"}',
    ],
    [
      'the result of an event has known tags',
      [CALL, '{"type":"return","process":"A","result":{"$":"toString"}}'],
      'line 2, column 41: unknown tag {"$":"toString"}',
    ],
  ]);
});

describe('lines that contradict each other', () => {
  expectComplaints([
    [
      'an event among operations is an error',
      [GOOD, CALL],
      'line 2, column 1: an event, but line 1 is an operation; expected operations, which have times',
    ],
    [
      'an operation among events is an error',
      [CALL, '', GOOD],
      'line 3, column 1: an operation, but line 1 is an event; expected events, whose order is time',
    ],
    [
      'an event after an annotation with a time is an error',
      ['{"annotation":"x","at":17}', CALL],
      'line 2, column 1: an event, but line 1 is an annotation with "at", its time; expected operations, which have times',
    ],
    [
      'an annotation with a time among events is an error',
      [CALL, '{"annotation":"x","at":17}'],
      'line 2, column 24: an annotation with "at", its time, but line 1 is an event; expected events, whose order is time',
    ],
    [
      'a return without a call is an error',
      '{"type":"return","process":"A","result":1}',
      'line 1, column 28: the end of a call, but process "A" has no open call',
    ],
    [
      'a return of another process is an error',
      [CALL, '{"type":"return","process":"B"}'],
      'line 2, column 28: the end of a call, but process "B" has no open call',
    ],
    [
      'a call does not end twice',
      [CALL, '{"type":"return","process":"A"}', '{"type":"throw","process":"A","threw":"E"}'],
      'line 3, column 27: the end of a call, but process "A" has no open call',
    ],
    [
      'what was given up does not return',
      [CALL, '{"type":"unknown","process":"A"}', '{"type":"return","process":"A"}'],
      'line 3, column 28: the end of a call, but process "A" has no open call',
    ],
    [
      'a call with an id does not end twice',
      [
        '{"type":"call","id":1,"process":"A","method":"f"}',
        '{"type":"return","id":1,"process":"A"}',
        '{"type":"failed","process":"A","id":1}',
      ],
      'line 3, column 37: id "1" has ended before',
    ],
    [
      'the end of a call with an id has that id',
      ['{"type":"call","id":1,"process":"A","method":"f"}', '{"type":"return","process":"A"}'],
      'line 2, column 28: the end of a call, but process "A" has no open call without an id',
    ],
    [
      'the end of an id that was never called is an error',
      [CALL, '{"type":"return","process":"A","id":"x"}'],
      'line 2, column 37: the end of a call, but no call has id "x"',
    ],
    [
      'the end of a call is of the process that called',
      ['{"type":"call","id":1,"process":"A","method":"f"}', '{"type":"return","id":1,"process":"B"}'],
      'line 2, column 35: id "1" was called by process "A" (line 1)',
    ],
    [
      'the end of a call is of the object that was called',
      [
        '{"type":"call","object":"q","process":"A","method":"f"}',
        '{"type":"return","object":"r","process":"A"}',
      ],
      'line 2, column 27: the call was of object "q" (line 1)',
    ],
    [
      'the end of a call of no object names none',
      [CALL, '{"type":"return","process":"A","object":"r"}'],
      'line 2, column 41: the call was of no object (line 1)',
    ],
    [
      'an event is no second open call of a process',
      [CALL, '{"type":"call","process":"A","method":"g"}'],
      'line 2, column 26: process A calls g while its call of f is open (line 1)',
    ],
    [
      'an event without id is no second open call of a process',
      ['{"type":"call","id":1,"process":"A","method":"f"}', '{"type":"call","process":"A","method":"g"}'],
      'line 2, column 26: process A calls g while its call of f is open (line 1)',
    ],
    [
      'operations of one process do not overlap',
      [
        '{"process":"A","method":"f","call":1,"return":5}',
        '{"process":"A","method":"g","call":4,"return":6}',
      ],
      'line 2, column 1: process A calls g while its call of f is open (line 1)',
    ],
    [
      'operations of one process do not overlap, in whatever order they come',
      [
        '{"process":"A","method":"g","call":4,"return":6}',
        GOOD,
        '{"process":"A","method":"f","call":1,"return":5}',
      ],
      'line 1, column 1: process A calls g while its call of f is open (line 3)',
    ],
    [
      'operations of one process do not overlap where only one has an id',
      [
        '{"id":1,"process":"A","method":"f","call":1,"return":5}',
        '{"process":"A","method":"g","call":4,"return":6}',
      ],
      'line 2, column 1: process A calls g while its call of f is open (line 1)',
    ],
    [
      'an id is used once',
      ['{"id":"a","process":"A","method":"f","call":1}', '{"id":"a","process":"B","method":"g","call":1}'],
      'line 2, column 7: duplicate id "a" (line 1)',
    ],
    [
      'an id as a text is the id as a number',
      ['{"id":1,"process":"A","method":"f","call":1}', '{"id":"1","process":"B","method":"g","call":1}'],
      'line 2, column 7: duplicate id "1" (line 1)',
    ],
    [
      'an id is used once among events, even after its end',
      [
        '{"type":"call","id":1,"process":"A","method":"f"}',
        '{"type":"return","id":1,"process":"A"}',
        '{"type":"call","id":1,"process":"A","method":"f"}',
      ],
      'line 3, column 21: duplicate id "1" (line 1)',
    ],
  ]);
});

describe('an inconsistent "after"', () => {
  expectComplaints([
    [
      '"after" names an id of the file',
      [GOOD, '{"process":"A","method":"f","call":1,"after":["x"]}'],
      'line 2, column 46: "after" names id "x", which no operation has',
    ],
    [
      'nothing comes after what failed',
      [
        '{"id":1,"process":"A","method":"f","failed":"no","call":1,"return":2}',
        '{"process":"B","method":"f","call":1,"return":2,"after":[1]}',
      ],
      'line 2, column 57: it comes "after" an operation that failed and never took effect (line 1)',
    ],
    [
      'nothing comes after an operation of another object',
      [
        '{"id":1,"object":"q","process":"A","method":"f","call":1,"return":2}',
        '{"object":"r","process":"B","method":"f","call":1,"return":2,"after":[1]}',
      ],
      'line 2, column 70: it comes "after" an operation of another object; objects are checked separately (line 1)',
    ],
    [
      'nothing comes after itself',
      '{"id":1,"process":"A","method":"f","call":1,"return":2,"after":[1]}',
      'line 1, column 64: "after" is cyclic: an operation comes after itself',
    ],
    [
      'nothing comes after itself by way of others',
      [
        '{"id":1,"process":"A","method":"f","call":1,"return":9,"after":[3]}',
        '{"id":2,"process":"B","method":"f","call":2,"return":9,"after":[1]}',
        '{"id":3,"process":"C","method":"f","call":3,"return":9,"after":[2]}',
      ],
      'line 1, column 64: "after" is cyclic: an operation comes after itself',
    ],
    [
      'nothing comes after what was called too late',
      [
        '{"process":"A","method":"f","call":1,"return":2,"after":["late"]}',
        '{"id":"late","process":"B","method":"g","call":3,"return":4}',
      ],
      'line 1, column 57: it comes "after" an operation that was called too late to take effect first (line 2)',
    ],
    [
      'nothing comes after what was called too late, by way of others',
      [
        '{"process":"A","method":"f","call":1,"return":4,"after":[2]}',
        '{"id":2,"process":"B","method":"g","call":3,"after":[3]}',
        '{"id":3,"process":"C","method":"g","call":5}',
      ],
      'line 2, column 53: it comes "after" an operation that was called too late to take effect first (line 3)',
    ],
    [
      'an overlap is no fault of an "after"',
      [
        '{"id":1,"process":"A","method":"f","call":1,"return":2}',
        '{"process":"B","method":"f","call":1,"return":9}',
        '{"process":"B","method":"g","call":3,"return":5,"after":[1]}',
      ],
      'line 3, column 1: process B calls g while its call of f is open (line 2)',
    ],
  ]);
});

describe('an unknown method', () => {
  const methodsOf = (object: string | undefined) =>
    object === 'any' ? undefined : object === undefined ? ['enqueue', 'dequeue'] : ['put'];
  expectComplaints(
    [
      [
        'an unknown method is an error',
        '{"process":"A","method":"enqeue","call":1}',
        'line 1, column 25: unknown method "enqeue"; expected enqueue, dequeue',
      ],
      [
        'a method of another object is unknown',
        '{"object":"map","process":"A","method":"enqueue","call":1}',
        'line 1, column 40: unknown method "enqueue" of object "map"; expected put',
      ],
      [
        '"constructor" is an unknown method',
        '{"process":"A","method":"constructor","call":1}',
        'line 1, column 25: unknown method "constructor"; expected enqueue, dequeue',
      ],
      [
        '"__proto__" is an unknown method',
        '{"type":"call","process":"A","method":"__proto__"}',
        'line 1, column 39: unknown method "__proto__"; expected enqueue, dequeue',
      ],
      [
        '"toString" is an unknown method',
        '{"process":"A","method":"toString","call":1}',
        'line 1, column 25: unknown method "toString"; expected enqueue, dequeue',
      ],
      [
        'a name that would move the cursor is shown, not obeyed',
        '{"process":"A","method":"\\u001b[2J\\u202e","call":1}',
        'line 1, column 25: unknown method "\\u001b[2J\\u{202e}"; expected enqueue, dequeue',
      ],
    ],
    { methodsOf },
  );

  expectComplaints(
    [
      [
        'the name that counts is the one after renaming',
        '{"process":"A","method":"put","call":1}',
        'line 1, column 25: unknown method "store"; expected enqueue, dequeue',
      ],
    ],
    { methodsOf, rename: new Map([['put', 'store']]) },
  );
});
