/** The reference pages are complete: they list every command, flag, exit code and ready-made object, and no other. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import * as factories from '../src/api/objects.js';
import { monitorOf } from '../src/check/monitors/registry.js';
import { createStreamMonitor } from '../src/check/online/object-monitor.js';
import { Steps, Values } from '../src/check/stream/steps.js';
import { createProgram, setFlags } from '../src/cli/run.js';
import { PAIR_NAMES } from '../src/objects/names.js';
import { type ObjectOptions, objects, syncObjects } from '../src/objects/registry.js';
import { type AnySpec, isSyncSpec, methodNames } from '../src/spec/rendezvous/sync-spec.js';

const pageText = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../docs/reference/${name}`, import.meta.url)), 'utf8');

/** Heading to the text up to the next heading. */
const sectionsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/^#{2,3} /m).map((section) => {
      const [heading, ...lines] = section.split('\n');
      return [heading, lines.join('\n')];
    }),
  );

/** The rows of the table whose first column has this name; code spans without their quotes. */
function tableOf(section: string | undefined, firstColumn: string): string[][] {
  const lines = (section ?? '').split('\n');
  const start = lines.findIndex((line) => line.replaceAll('`', '').startsWith(`| ${firstColumn} |`));
  const rows = start === -1 ? [] : lines.slice(start);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows
    .slice(0, end === -1 ? undefined : end)
    .filter((line) => !/^[|\s-]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.replaceAll('`', '').trim()),
    );
}

/** A command with all that its module defines, and its help text. */
async function loadCommand(
  name: string,
): Promise<{ readonly command: CommandUnknownOpts; readonly help: string }> {
  let help = '';
  const terminal = { stdout: { write: (piece: string) => (help += piece) }, stderr: { write: () => {} } };
  const program = createProgram(terminal);
  const names = name.split(' ');
  await expect(program.parseAsync([...names, '--help'], { from: 'user' })).rejects.toThrow('outputHelp');
  const command = names.reduce<CommandUnknownOpts | undefined>(
    (parent, own) => parent?.commands.find((child) => child.name() === own),
    program as unknown as CommandUnknownOpts,
  );
  if (!command) throw new Error(`no command ${name}`);
  return { command, help };
}

describe('cli.md', () => {
  const text = pageText('cli.md');
  const sections = sectionsOf(text);
  const [codes, ...codeRows] = tableOf(sections.get('Exit codes'), 'command');

  const top = createProgram({ stdout: { write: () => {} }, stderr: { write: () => {} } });
  const names = top.commands.flatMap((command) => {
    const name = command.name();
    return name === 'worker' ? [name, 'worker secret', 'worker status', 'worker clean'] : [name];
  });

  /** The default as the help text names it. */
  function defaultOf({ description, defaultValue, defaultValueDescription, negate }: Option): string {
    if (negate) return '';
    if (defaultValue !== undefined) return defaultValueDescription ?? String(defaultValue);
    return (
      /\(default: (.*)\)$/.exec(description)?.[1] ?? (/\(required\)$/.test(description) ? 'required' : '')
    );
  }

  const usageOf = (argument: Argument): string => {
    const own = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${own}>` : `[${own}]`;
  };

  test('the commands are those of the program', async () => {
    const { command } = await loadCommand('worker');
    expect(command.commands.map((child) => `worker ${child.name()}`)).toEqual(names.slice(-3));
    expect(
      tableOf(text, 'command')
        .slice(1)
        .map(([name]) => /\[(.*)\]/.exec(name)?.[1]),
    ).toEqual(top.commands.map((child) => child.name()));
    expect(codeRows.map(([name]) => name)).toEqual(names);
  });

  test.each(names)('%s: arguments, flags and defaults', async (name) => {
    const { command, help } = await loadCommand(name);
    const section = sections.get(name);
    expect(section).toContain(`\nstraightedge ${/^Usage: straightedge (.*)$/m.exec(help)?.[1]}\n`);
    expect(
      tableOf(section, 'argument')
        .slice(1)
        .map(([usage]) => usage),
    ).toEqual(command.registeredArguments.map(usageOf));
    expect(
      tableOf(section, 'option')
        .slice(1)
        .map(([flag, , ownDefault]) => [flag, ownDefault]),
    ).toEqual(command.options.map((option) => [option.flags, defaultOf(option)]));
  });

  test.each(names)('%s: exit codes', async (name) => {
    const { help } = await loadCommand(name.split(' ')[0]);
    const listed = /^Exit codes: ([\s\S]*)/m.exec(help)?.[1] ?? '';
    const row = codeRows.find(([own]) => own === name) ?? [];
    const used = codes.filter((_, i) => i > 0 && row[i] !== '');
    expect(used).toEqual(Array.from(listed.matchAll(/(?:^|,\s+)(\d+) /g), ([, code]) => code));
  });

  test('config.md names the commands of each setting', async () => {
    const source = readFileSync(new URL('../src/config/load-config.ts', import.meta.url), 'utf8');
    const settings = Array.from(source.matchAll(/^ {2}readonly (\w+)\?:/gm), ([, setting]) => setting);
    const rows = tableOf(pageText('config.md'), 'setting').slice(1);
    expect(rows.map(([setting]) => setting)).toEqual(settings);
    const commands = await Promise.all(names.map(loadCommand));
    for (const [setting, flag, listed, examples] of rows.filter(([, flag]) => flag !== 'none')) {
      const [example] = new Function(`return [${examples}]`)() as unknown[];
      const having = names.filter((_, i) => {
        const { command } = commands[i];
        setFlags(command, { file: 'straightedge.config.ts', folder: '.', config: { [setting]: example } });
        const isSet = command.getOptionValueSource(setting) === 'config';
        if (isSet) expect(command.options.map(({ long }) => long)).toContain(flag);
        return isSet;
      });
      expect(listed.split(', ')).toEqual(having);
    }
  });

  test('no other flag is mentioned', async () => {
    const commands = await Promise.all(names.map(loadCommand));
    const flags = [
      '--help',
      ...top.options.map(({ long }) => long),
      ...commands.flatMap(({ command }) => command.options.map(({ long }) => long)),
    ];
    const mentioned = Array.from(text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g), ([flag]) => flag);
    expect(mentioned.filter((flag) => !flags.includes(flag))).toEqual([]);
  });
});

describe('an option of the API has the name of the flag', () => {
  /** Options that no flag sets: functions and values of the program, and settings that only a program needs. */
  const ONLY_API: Readonly<Record<string, readonly string[]>> = {
    CheckOptions: ['onViolation', 'parallel'],
    Limits: ['onProgress', 'processMemory', 'shouldStop'],
    ReadOptions: ['jepsen', 'keepTimes', 'methodsOf', 'onCut', 'watch'],
    OnlineMonitorOptions: ['maxConfigurations', 'undefinedIsNull'],
    // `--require-coverage` sets the limit and changes the exit code
    ExploreOptions: ['maxExecutions', 'onProgress', 'signal'],
    ExplainOptions: ['largerTests', 'seed'],
    StressOptions: ['onProgress', 'signal'],
  };
  const OPTIONS = [
    ['check', 'check/check.ts', 'CheckOptions'],
    ['check', 'check/model/budget.ts', 'Limits'],
    ['check', 'formats/common/reader.ts', 'ReadOptions'],
    ['monitor', 'check/online/monitor.ts', 'OnlineMonitorOptions'],
    ['explore', 'explore/explore.ts', 'ExploreOptions'],
    ['explain', 'root-cause/explain.ts', 'ExplainOptions'],
    ['stress', 'stress/stress.ts', 'StressOptions'],
  ] as const;

  test.each(OPTIONS)('%s: %s, %s', async (name, file, type) => {
    const source = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
    const [, body = ''] =
      new RegExp(`^export interface ${type}\\b[^{]*\\{(.*?)^\\}`, 'ms').exec(source) ?? [];
    const fields = Array.from(body.matchAll(/^ {2}readonly (\w+)/gm), ([, field]) => field);
    expect(fields).not.toEqual([]);
    const { command } = await loadCommand(name);
    const flags = command.options.map((option) => option.attributeName());
    expect(
      fields.filter((field) => !flags.includes(field)).sort(),
      'name the option as its flag; enter it above if it needs none',
    ).toEqual(ONLY_API[type]);
  });
});

describe('objects.md', () => {
  const text = pageText('objects.md');
  const sections = sectionsOf(text);
  const tables = {
    Objects: Object.entries(objects),
    'Objects whose calls synchronise': Object.entries(syncObjects),
  } as const;
  /** `exclusive` describes results of explored code, and is no object of `--spec`. */
  const { exclusive: _, ...sequential } = factories;
  const rowsOf = (heading: string) => tableOf(sections.get(heading), 'object').slice(1);
  const rows = Object.keys(tables).flatMap(rowsOf);
  const named = new Map(Object.entries(sequential as Readonly<Record<string, () => AnySpec>>));
  const all = Object.values(tables).flat();
  const SAMPLES = { initial: [[7], 7, true], empty: [7], permits: [7], parties: [7] } as const;

  /** The options that the object accepts with some value. */
  const optionsOf = (create: (options: ObjectOptions) => unknown): string[] =>
    Object.entries(SAMPLES)
      .filter(([option, values]) =>
        values.some((value) => attempt(() => create({ [option]: value })) !== undefined),
      )
      .map(([option]) => `--${option}`);

  test.each(Object.entries(tables))('%s: all objects are listed', (heading, own) => {
    expect(rowsOf(heading).map(([name]) => /\[(.*)\]/.exec(name)?.[1])).toEqual(own.map(([name]) => name));
  });

  test('the functions are those of straightedge/objects', () => {
    expect(rows.map(([, factory]) => factory).sort()).toEqual(Object.keys(sequential).sort());
    expect(sections.has('exclusive')).toBe(true);
  });

  test.each(all)('%s: factory, options, methods and monitors', (name, create) => {
    const [, factory, options, checked, monitored] =
      rows.find(([link]) => link.startsWith(`[${name}]`)) ?? [];
    const spec = create({});
    expect(named.get(factory)?.().name).toBe(name);
    expect(options.match(/--\w+/g) ?? []).toEqual(optionsOf(create));
    const methods = tableOf(sections.get(name), 'method').slice(1);
    expect(methods.map(([call]) => /^\w+/.exec(call)?.[0])).toEqual(methodNames(spec));
    if (isSyncSpec(spec)) {
      expect(monitored).toBe(PAIR_NAMES.includes(name) ? 'matching' : 'not supported');
      return;
    }
    expect(checked).toBe(monitorOf(spec)?.name ?? 'search');
    const limits = { configurations: 16, bytes: 2 ** 20 };
    const stream = createStreamMonitor(new Steps(spec, new Values(false)), ['key'], limits);
    expect(monitored).toBe(stream ? 'own algorithm' : 'configurations');
  });

  /** What can be observed of a spec: its initial state, sizes and first results. */
  const observe = (spec: AnySpec): string => {
    const steps = isSyncSpec(spec)
      ? Object.values(spec.rendezvous).map((step) => attempt(() => step?.(spec.initial, [], [])))
      : Object.values(spec.methods).map((step) => attempt(() => step(spec.initial, [['r', 'key']])));
    const sizes = isSyncSpec(spec) ? spec.sizes?.(spec.initial, 'sync*') : undefined;
    return inspect([spec.initial, sizes, steps], { depth: null });
  };

  test.each(all)('%s: defaults', (name, create) => {
    const [, , options] = rows.find(([link]) => link.startsWith(`[${name}]`)) ?? [];
    for (const [, option, value] of options.matchAll(/--(\w+) ([^,]+)/g)) {
      expect(observe(create({ [option]: JSON.parse(value) }))).toBe(observe(create({})));
      const others = SAMPLES[option as keyof typeof SAMPLES].map((other) =>
        attempt(() => observe(create({ [option]: other }))),
      );
      expect(others.some((other) => other !== undefined && other !== observe(create({})))).toBe(true);
    }
  });
});

/** Undefined if it throws. */
function attempt<R>(run: () => R): R | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

test('json-output.md lists every cause of a violation', () => {
  const source = readFileSync(new URL('../src/check/model/causes.ts', import.meta.url), 'utf8');
  const [monitors, rendezvous] = source
    .split('export type RendezvousCause')
    .map((part) => Array.from(part.matchAll(/readonly kind: '([^']+)'/g), ([, kind]) => kind).sort());
  const sections = sectionsOf(pageText('json-output.md'));
  const listed = (heading: string): string[] =>
    tableOf(sections.get(heading), 'cause.kind')
      .slice(1)
      .map(([kind]) => kind)
      .sort();
  expect(listed('Causes of monitors')).toEqual(monitors);
  expect(listed('Causes of rendezvous')).toEqual(rendezvous);
});
