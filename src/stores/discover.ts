import { resolve } from 'node:path';
import { homeFolder } from '../io/home.ts';
import { foundAt, kindOf, missingPath, realPath } from '../io/files.ts';
import { errorMessage } from '../model/errors.ts';
import type { ReadError } from '../model/finding.ts';
import { productNames, products, type Product } from '../model/product.ts';
import type { OpenOptions, StoreRef } from '../model/store.ts';
import { hermesAdapter } from './hermes/adapter.ts';
import { mimocodeAdapter } from './mimocode/adapter.ts';
import { openclawAdapter } from './openclaw/adapter.ts';
import { opencodeAdapter } from './opencode/adapter.ts';
import type { Environment, StoreAdapter } from './snapshot.ts';

const adapters = {
  openclaw: openclawAdapter,
  opencode: opencodeAdapter,
  mimocode: mimocodeAdapter,
  hermes: hermesAdapter,
};

export type SnapshotOf = { [P in Product]: (typeof adapters)[P] extends StoreAdapter<infer S> ? S : never };

/** An opened store together with its product, so that a switch over the product narrows the snapshot. */
export type OpenStore = { [P in Product]: { product: P; snapshot: SnapshotOf[P] } }[Product];

/** The environment of this process. */
export function currentEnvironment(): Environment {
  return { env: process.env, home: homeFolder() };
}

/**
 * Turns paths into stores; with no path, looks where this user's products keep theirs. A path that holds no store is an
 * error in the result, so that the others are still read. Stores come in path order, each once, by whatever links it was named.
 */
export function discover(paths: readonly string[], environment: Environment = currentEnvironment()): { stores: StoreRef[]; errors: ReadError[] } {
  const found = new Map<string, StoreRef>();
  const errors: ReadError[] = [];
  const add = (refs: StoreRef[]): void => {
    for (const ref of refs) {
      const place = `${ref.product}:${realPath(ref.path)}`;
      const known = found.get(place);
      if (!known) found.set(place, ref);
      else if (known.only) found.set(place, ref.only ? { ...known, only: [...new Set([...known.only, ...ref.only])] } : ref);
    }
  };
  const attempt = (product: Product, path: string, from: Environment | null): number => {
    try {
      const refs = adapters[product].recognise(path, from);
      add(refs);
      return refs.length;
    } catch (error) {
      // A folder that may not be read is refused to every product.
      if (!errors.some((known) => known.message === errorMessage(error))) errors.push({ store: null, message: errorMessage(error), path });
      return 1;
    }
  };
  if (paths.length === 0) {
    for (const product of products) {
      for (const path of adapters[product].defaults(environment)) {
        const absolute = resolve(path);
        if (kindOf(absolute) !== 'missing') attempt(product, absolute, environment);
      }
    }
  }
  for (const path of paths) {
    const absolute = resolve(path);
    let kind: ReturnType<typeof kindOf>;
    try {
      kind = kindOf(absolute);
    } catch (error) {
      errors.push({ store: null, message: errorMessage(error), path: absolute });
      continue;
    }
    if (kind === 'missing') {
      errors.push({ store: null, message: missingPath(absolute), path: absolute });
      continue;
    }
    const before = errors.length;
    let count = 0;
    for (const product of products) count += attempt(product, absolute, null);
    if (count === 0 && errors.length === before) {
      const names = products.map((product) => productNames[product]).join(', ');
      errors.push({ store: null, message: `${absolute} is ${foundAt(absolute)}: no session store that is known (${names}); give a state folder, a database or a transcript`, path: absolute });
    }
  }
  return { stores: [...found.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)), errors };
}

/** The places that were looked at when no path was given. */
export function defaultPlaces(environment: Environment = currentEnvironment()): string[] {
  return products.flatMap((product) => adapters[product].defaults(environment));
}

/** Opens a store. Throws UnreadableError when the system refuses, FriendlyError when the SQLite module is missing. */
export async function openStore(ref: StoreRef, options: OpenOptions): Promise<OpenStore> {
  switch (ref.product) {
    case 'openclaw':
      return { product: 'openclaw', snapshot: await adapters.openclaw.open(ref, options) };
    case 'opencode':
      return { product: 'opencode', snapshot: await adapters.opencode.open(ref, options) };
    case 'mimocode':
      return { product: 'mimocode', snapshot: await adapters.mimocode.open(ref, options) };
    case 'hermes':
      return { product: 'hermes', snapshot: await adapters.hermes.open(ref, options) };
  }
}
