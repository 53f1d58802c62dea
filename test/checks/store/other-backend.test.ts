import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hermesCases, hermesFindings } from '../../helpers/hermes-cases.ts';

const config = (folder: string, text: string): void => writeFileSync(join(folder, 'config.yaml'), text);
hermesCases('store/other-backend', [
  ['PostgreSQL', (_store, folder) => config(folder, 'database:\n  backend: postgres\n'), [{ severity: 'info', evidence: { backend: 'postgres', databaseHere: true } }]],
  ['SQLite, stated', (_store, folder) => config(folder, 'database: {backend: sqlite}\n'), []],
  ['nothing stated', (_store, folder) => config(folder, 'timezone: UTC\n'), []],
  ['a configuration that is no YAML', (_store, folder) => config(folder, 'database: [\n'), []],
]);

it('judges nothing of a store that is kept elsewhere', async () => {
  const findings = await hermesFindings('session', (store, folder) => {
    store.session({ id: 'a', parent: 'gone', messageCount: 9 });
    config(folder, 'database:\n  backend: postgres\n');
  }, { keepCounters: true });
  expect(findings).toEqual([]);
});
