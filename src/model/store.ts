import type { Layout, Product } from './product.ts';
import type { Shard } from './shard.ts';

/** One place on disk that one product treats as a unit, recognised but not opened. */
export type StoreRef = {
  /** `product:absolute path`; unique and stable. */
  id: string;
  product: Product;
  layout: Layout;
  /** Absolute path of the folder or database that is the store. */
  path: string;
  /** What a person would call it, relative to the state folder: `agents/main`, `opencode.db`. */
  label: string;
  /** The product's state, data or home folder, where its configuration lies. */
  home: string;
  /** The configuration file, where the environment or a person named it. */
  config?: string;
  /** Only these session ids or files, when the path that was given is narrower than the store. */
  only?: string[];
};

export function storeId(product: Product, path: string): string {
  return `${product}:${path}`;
}

/** How stores are opened. */
export type OpenOptions = {
  /** Folder for private copies; null: the system's temporary folder. */
  snapshotDir: string | null;
  /** Read a live database where it lies instead of a copy. */
  inPlace: boolean;
  /** Also whatever costs more than indexes and narrow columns. */
  deep: boolean;
  /** The clock, ms since the epoch. */
  now: number;
  /**
   * Only this part of the sessions matters: a store may leave out the costly questions about the others (`inShard`). Findings
   * of other parts are dropped anyway, so a store that ignores it is slower, never wrong.
   */
  shard?: Shard | null;
};
