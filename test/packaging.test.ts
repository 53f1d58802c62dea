import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderPrometheus } from '../src/report/prometheus.ts';
import { createProgram } from '../src/cli.ts';
import { projectRoot, sampleData, temporaryFolder } from './helpers/paths.ts';
import { everyKind, hostileResult } from './helpers/results.ts';

const packaging = join(projectRoot, 'packaging');
const has = (path: string): boolean => existsSync(path);
const run = (command: string, args: readonly string[], options: { input?: string; env?: Record<string, string> } = {}): { status: number | null; out: string } => {
  const done = spawnSync(command, [...args], { encoding: 'utf8', input: options.input, env: { ...process.env, ...options.env } });
  return { status: done.status, out: `${done.stdout}${done.stderr}` };
};

describe('systemd units', () => {
  it.skipIf(!has('/usr/bin/systemd-analyze'))('are valid (skipped where systemd-analyze is not installed)', () => {
    const folder = temporaryFolder();
    const units = readdirSync(join(packaging, 'systemd')).filter((name) => name.includes('@.'));
    for (const name of units) {
      const text = readFileSync(join(packaging, 'systemd', name), 'utf8').replaceAll('/usr/local/bin/sessionfsck', '/bin/true');
      writeFileSync(join(folder, name.replace('@.', '@daemon.')), text);
    }
    mkdirSync(join(folder, 'sessionfsck-audit@daemon.service.d'));
    writeFileSync(join(folder, 'sessionfsck-audit@daemon.service.d/prometheus.conf'), readFileSync(join(packaging, 'systemd/prometheus.conf'), 'utf8').replaceAll('/usr/local/bin/sessionfsck', '/bin/true'));
    expect(units).toHaveLength(3);
    expect(run('systemd-analyze', ['verify', '--man=no', ...units.map((name) => join(folder, name.replace('@.', '@daemon.')))])).toEqual({ status: 0, out: '' });
  });

  it('see the stores read-only and write only to their own state', () => {
    for (const name of ['sessionfsck-audit@.service', 'sessionfsck-baseline@.service']) {
      const unit = readFileSync(join(packaging, 'systemd', name), 'utf8');
      for (const line of ['ProtectSystem=strict', 'ProtectHome=read-only', 'PrivateTmp=yes', 'PrivateNetwork=yes', 'NoNewPrivileges=yes', 'StateDirectory=sessionfsck/%i']) expect(unit).toContain(`\n${line}\n`);
      expect(unit).not.toMatch(/^ReadWritePaths/m);
    }
  });

  it('call the program as it is', () => {
    const known = createProgram();
    const audit = known.commands.find((command) => command.name() === 'audit');
    const flags = new Set([...known.options, ...(audit?.options ?? [])].flatMap((option) => [option.short, option.long]));
    const files = ['systemd/sessionfsck-audit@.service', 'systemd/sessionfsck-baseline@.service', 'systemd/prometheus.conf', 'cron/sessionfsck.crontab'];
    const calls = files.flatMap((file) => readFileSync(join(packaging, file), 'utf8').split('\n').filter((line) => !line.startsWith('#') && line.includes('sessionfsck audit')));
    expect(calls).toHaveLength(4);
    expect(calls.flatMap((line) => [...line.matchAll(/\s(--?[a-z][a-z-]*)/g)].map((match) => match[1])).filter((flag) => !flags.has(flag))).toEqual([]);
  });
});

describe('the cron line', () => {
  it('runs in the bare environment of cron, first as a baseline, then silently', () => {
    const crontab = readFileSync(join(packaging, 'cron/sessionfsck.crontab'), 'utf8').split('\n').filter((text) => text !== '' && !text.startsWith('#'));
    const line = crontab.find((text) => /^\d/.test(text)) ?? '';
    // All other lines are settings, with which cron replaces those of its own; npm installs into /usr/local/bin, which it does not know.
    const settings = Object.fromEntries(crontab.filter((text) => text !== line).map((text) => text.split('=') as [string, string]));
    expect(settings).toEqual({ PATH: '/usr/local/bin:/usr/bin:/bin' });
    const match = /^(\S+ \S+ \S+ \S+ \S+) (sessionfsck audit .*)$/.exec(line);
    expect(match?.[1]).toMatch(/^\d{1,2} \d{1,2} \* \* \*$/);
    expect(match?.[2]).not.toContain('%'); // cron would take it for a new line
    const folder = temporaryFolder();
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'sessionfsck'), `#!/bin/sh\nexec ${process.execPath} ${join(projectRoot, 'bin/sessionfsck.js')} "$@" --no-config ${join(sampleData, 'openclaw-migrated/store')}\n`, { mode: 0o755 });
    const cron = (command: string): { status: number | null; out: string } => {
      const done = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8', env: { HOME: folder, LOGNAME: 'x', SHELL: '/bin/sh', ...settings, PATH: settings.PATH?.replace('/usr/local/bin', bin) } });
      return { status: done.status, out: `${done.stdout}${done.stderr}` };
    };
    const command = match?.[2] ?? '';
    expect(cron(command)).toMatchObject({ status: 2, out: expect.stringContaining('--update-baseline') as string });
    mkdirSync(join(folder, '.local/state/sessionfsck'), { recursive: true });
    expect(cron(`${command} --update-baseline`).status).toBe(0);
    expect(cron(command)).toEqual({ status: 0, out: '' });
  });
});

describe.skipIf(!has('/usr/bin/promtool'))('Prometheus (skipped where promtool is not installed)', () => {
  it('accepts the alert rules', () => {
    const checked = run('promtool', ['check', 'rules', join(packaging, 'prometheus/sessionfsck.rules.yml')]);
    expect(checked.out).toContain('SUCCESS: 5 rules found');
    expect(checked.status).toBe(0);
  });

  it.each([['every kind', everyKind()], ['hostile', hostileResult()]])('accepts the metrics: %s', (_name, one) => {
    const metrics = renderPrometheus(one, { now: Date.parse('2026-11-30T03:00:00Z'), standings: new Map(one.findings.map((each) => [each.fingerprint, { kind: 'new' }])) });
    expect(run('promtool', ['check', 'metrics'], { input: metrics })).toEqual({ status: 0, out: '' });
  });

  it('fires the alerts when it should, and only then', () => {
    const folder = temporaryFolder();
    const test = {
      rule_files: [join(packaging, 'prometheus/sessionfsck.rules.yml')],
      evaluation_interval: '1h',
      tests: [
        {
          interval: '1h',
          input_series: [
            { series: 'sessionfsck_new_findings{store="a",severity="error",instance="h"}', values: '2x200' },
            { series: 'sessionfsck_new_findings{store="b",severity="error",instance="h"}', values: '0x200' },
            { series: 'sessionfsck_accepted_findings{store="b",severity="error",instance="h"}', values: '4x200' },
            { series: 'sessionfsck_store_findings{store="b",severity="error",instance="h"}', values: '5x200' },
            { series: 'sessionfsck_known_findings{store="b",severity="error",instance="h"}', values: '1x200' },
            { series: 'sessionfsck_new_findings{store="a",severity="warning",instance="h"}', values: '0x200' },
            { series: 'sessionfsck_read_errors{instance="h"}', values: '0x200' },
            { series: 'sessionfsck_last_run_timestamp_seconds{instance="h"}', values: '0x200' },
          ],
          alert_rule_test: [
            { eval_time: '1h', alertname: 'SessionStoreDataLost', exp_alerts: [{ exp_labels: { severity: 'page', store: 'a', instance: 'h' }, exp_annotations: { summary: 'Session data is lost or out of reach in a on h', description: '2 errors that the baseline does not know. On that host: sessionfsck scan' } }] },
            { eval_time: '1h', alertname: 'SessionStoreNewFindings', exp_alerts: [] },
            { eval_time: '1h', alertname: 'SessionStoreUnreadable', exp_alerts: [] },
            { eval_time: '47h', alertname: 'SessionAuditMissing', exp_alerts: [] },
            { eval_time: '47h', alertname: 'SessionStoreKnownErrors', exp_alerts: [] },
            { eval_time: '170h', alertname: 'SessionStoreKnownErrors', exp_alerts: [{ exp_labels: { severity: 'ticket', instance: 'h' }, exp_annotations: { summary: 'Known errors in session stores on h are neither repaired nor accepted', description: '1 for a week. On that host: sessionfsck plan -o plan.json, or sessionfsck audit --acknowledge' } }] },
            { eval_time: '49h', alertname: 'SessionAuditMissing', exp_alerts: [{ exp_labels: { severity: 'ticket', instance: 'h' }, exp_annotations: { summary: 'The audit of session stores has not run for two days on h', description: 'Last run 2d 1h 0m 0s ago. Look at: systemctl list-timers sessionfsck*, journalctl -u sessionfsck-audit@*' } }] },
          ],
        },
      ],
    };
    const file = join(folder, 'test.yml');
    writeFileSync(file, JSON.stringify(test));
    expect(run('promtool', ['test', 'rules', file])).toMatchObject({ status: 0 });
  });
});
