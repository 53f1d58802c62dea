import type { CheckMeta, FindingDraft } from '../model/check.ts';
import type { Product } from '../model/product.ts';
import type { StoreRef } from '../model/store.ts';
import type { Reader } from '../model/version.ts';
import type { SnapshotOf } from '../stores/discover.ts';

export type CheckContext = {
  store: StoreRef;
  reader: Reader;
  /** ms since the epoch. */
  now: number;
  /** IANA name of the zone of the host that wrote the store. */
  zone: string;
  /** False when `zone` is only this host's, not named by a person. */
  zoneGiven: boolean;
  deep: boolean;
  /** Records that this store does not have what the check needs (a column, a table). */
  skip(reason: string): void;
};

type DigestOf<P extends Product> = SnapshotOf[P] extends { digests(): Iterable<infer D> } ? D : never;

/** What a check does with one product's stores. Neither handler keeps state: the snapshot does. */
export type Handlers<P extends Product> = {
  /** Called for each transcript or session digest, in the store's order. */
  session?: (digest: DigestOf<P>, snapshot: SnapshotOf[P], context: CheckContext) => Iterable<FindingDraft>;
  /** Called once, after all digests were seen. */
  store?: (snapshot: SnapshotOf[P], context: CheckContext) => Iterable<FindingDraft>;
};

/** One kind of fault: what it is and how it is decided. No I/O, no SQL, no printing. */
export type Check = { meta: CheckMeta } & { [P in Product]?: Handlers<P> };

/** Types a check; a check may not declare a product without handling it. */
export function defineCheck(check: Check): Check {
  return check;
}
