import { shmOf, walOf } from '../io/files.ts';
import { fileHolders, type Holder } from '../io/processes.ts';
import type { ReadError } from '../model/finding.ts';
import type { Layout, Product } from '../model/product.ts';
import { formatReader } from '../model/version.ts';
import type { OpenStore } from '../stores/discover.ts';
import { liveGateways } from '../stores/openclaw/gateway.ts';
import { eachStore } from './each-store.ts';
import { chooseReader, type ScanOptions } from './scan.ts';

/** A process that may be at work on a store, and how that is known. */
export type StoreHolder = { pid: number; command: string | null; path: string; how: 'open file' | 'lock file' | 'gateway lock' };

/** One store as `stores --json` gives it. Sizes in bytes. */
export type StoreRow = {
  id: string;
  product: Product;
  layout: Layout;
  path: string;
  label: string;
  home: string;
  /** The reader that harm is judged for, and where its version comes from. */
  reader: string;
  readerSource: 'option' | 'store' | 'unknown';
  readAs: 'files' | 'snapshot' | 'in-place';
  sessions: number;
  bytes: number;
  schema: { version: string | null; newestKnown: string; newer: boolean } | null;
  databases: { path: string; fileBytes: number; walBytes: number; pageSize: number; damage: string | null }[];
  holders: StoreHolder[];
};

function holdersOf(opened: OpenStore): StoreHolder[] {
  const { snapshot } = opened;
  const paths = snapshot.databases.flatMap(({ path }) => [path, walOf(path), shmOf(path)]);
  const locks: StoreHolder[] = [];
  if (opened.product === 'openclaw') {
    const { files, index, locks: found, config } = opened.snapshot;
    paths.push(index.path, ...files.filter((file) => file.kind === 'live').map((file) => file.path));
    for (const lock of found) if (lock.process === 'alive' && lock.pid !== null) locks.push({ pid: lock.pid, command: null, path: lock.path, how: 'lock file' });
    for (const pid of liveGateways(config.path)) locks.push({ pid, command: 'gateway', path: config.path, how: 'gateway lock' });
  }
  const open = fileHolders(paths).map(({ pid, command, path }: Holder): StoreHolder => ({ pid, command, path, how: 'open file' }));
  return [...open, ...locks].sort((a, b) => a.pid - b.pid || (a.path < b.path ? -1 : 1));
}

/** What was recognised at `paths` and how it would be read; transcripts and tables are not read. */
export async function collectStores(paths: readonly string[], options: ScanOptions): Promise<{ stores: StoreRow[]; errors: ReadError[] }> {
  const stores: StoreRow[] = [];
  const errors = await eachStore(paths, options, (opened) => {
    const { snapshot } = opened;
    const { ref, schema } = snapshot;
    const reader = chooseReader(snapshot, options.readers);
    const { sessions, bytes, readAs } = snapshot.counts();
    stores.push({
      id: ref.id,
      product: ref.product,
      layout: ref.layout,
      path: ref.path,
      label: ref.label,
      home: ref.home,
      reader: formatReader(reader),
      readerSource: reader.source,
      readAs,
      sessions,
      bytes,
      schema: schema === null ? null : { version: schema.version, newestKnown: schema.newestKnown, newer: schema.newer },
      databases: snapshot.databases.map(({ path, fileBytes, walBytes, pageSize, damage }) => ({ path, fileBytes, walBytes, pageSize, damage: damage?.detail ?? null })),
      holders: holdersOf(opened),
    });
  });
  return { stores, errors };
}
