/** What becomes of accesses to elements, as text; that it means the same is shown in test/system/threads/real-threads.test.ts. */
import { expect, test } from 'vitest';
import { rewriteElements } from './element-accesses.js';

/** Without the head. */
const rewritten = (text: string): string =>
  rewriteElements('sample.ts', text).code.replace(/^;const .*?\}\);/, '');

test.each([
  ['a[i]', '$e.at(a,i,$es+0)'],
  ['a[b[0]]', '$e.at(a,$e.at(b,0,$es+0),$es+1)'],
  ['a[i] = b[j]', '$e.put(a,i,$e.at(b,j,$es+0),$es+1)'],
  ['a[i] += b', '$e.change(a,i,$es+0,$ex=>$ex+(b))'],
  ['++a[i]', '$e.change(a,i,$es+0,$ex=>++$ex)'],
  ['a[i]--', '$e.later(a,i,$es+0,$ex=>--$ex)'],
  ['(a as Int32Array)[i]!', '$e.at((a as Int32Array),i,$es+0)!'],
  ['a.b.fill(0, ...c)', '$e.call(a.b,"fill",$es+0,[0,...c,])'],
  ['a.set(b[0])', '$e.call(a,"set",$es+1,[$e.at(b,0,$es+0),])'],
  ['a.slice()', '$e.call(a,"slice",$es+0,[])'],
  ['a[i][j] = 1', '$e.put($e.at(a,i,$es+0),j,1,$es+1)'],
])('%s becomes %s', (text, expected) => {
  expect(rewritten(text)).toBe(expected);
});

test.each([
  'a[i](1)',
  'new a[i](1)',
  'delete a[i]',
  'a?.b[i]',
  'a?.fill(1)',
  'a.subarray(1)',
  'a.push(1)',
  "a['name'] = 1",
  'a[i] ??= 1',
  'for (a[0] of b) c()',
  '[a[0]] = b',
  'async () => { a[i] += await b }',
])('%s stays', (text) => {
  expect(rewritten(text)).toBe(text);
});
