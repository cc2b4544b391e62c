/** CommonJS, in sloppy mode. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

export const COMMON_JS: readonly Snippet[] = [
  [
    'module.exports',
    `var fs = require('node:path'); function helper(n) { return n + 1 } class S { run() { return [helper(1), typeof fs.join, typeof module, typeof exports, typeof require, typeof __filename, this === undefined] } } module.exports.S = S; exports.helper = helper`,
  ],
  [
    'exports that are read back',
    `exports.n = 1; exports.add = function (k) { exports.n += k; return exports.n }; class S { run() { return [exports.add(2), module.exports.n, exports === module.exports] } }`,
  ],
  [
    'require inside of a function',
    `class S { run() { const { sep } = require('node:path'); const p = require('node:path'); return [typeof sep, p === require('node:path')] } }`,
  ],
  [
    'sloppy this and arguments',
    `function f() { return this === globalThis } function g(a) { arguments[0] = 5; a++; return [a, arguments[0]] } function h(a = 1) { arguments[0] = 5; return a } class S { run() { return [f(), f.call(null), typeof f.call(1), g(1), h(2), (function () { return typeof this }).call('s')] } }`,
  ],
  [
    'sloppy writes that fail',
    `var frozen = Object.freeze({ v: 1 }); function f(o) { o.v = 2; delete o.v; o.w = 3; return o } function g(o) { 'use strict'; o.v = 2 } class S { run() { var r = [f(frozen)]; try { g(frozen) } catch (e) { r.push(e.name) } return r } }`,
  ],
  [
    'sloppy writes to primitives',
    `function f(n) { n.x = 1; return n.x } class S { run() { return [f(5), f('s')] } }`,
  ],
  [
    'functions in blocks, sloppy',
    `function f(on) { var r = [typeof inner]; if (on) { function inner() { return 1 } r.push(inner()) } r.push(typeof inner); return r } class S { run() { return [f(true), f(false)] } }`,
  ],
  [
    'var and functions of the file',
    `var n = 0; var list = []; var self = this; function next() { n++; list.push(n); return n } var late = function () { return next() }; class S { run() { return [late(), n, list.slice(), typeof self] } }`,
  ],
  [
    'octals and duplicate parameters',
    `function f(a, a) { return [a, 010, '\\101'] } class S { run() { return f(1, 2) } }`,
  ],
  [
    'prototype classes',
    `function Q() { if (!(this instanceof Q)) return new Q(); this.items = [] } Q.prototype = { constructor: Q, push: function (x) { this.items.push(x); return this }, get size() { return this.items.length } }; Q.of = function () { var q = Q(); for (var i = 0; i < arguments.length; i++) q.push(arguments[i]); return q }; class S { run() { var q = Q.of(1, 2); return [q.size, q.items, q instanceof Q, Object.keys(q)] } }`,
  ],
  [
    'util.inherits',
    `var util = require('node:util'); function A(n) { this.n = n } A.prototype.f = function () { return this.n }; function B(n) { A.call(this, n); this.m = 1 } util.inherits(B, A); B.prototype.g = function () { return this.f() + this.m }; class S { run() { return [new B(2).g(), new B(1) instanceof A, B.super_ === A] } }`,
  ],
];
