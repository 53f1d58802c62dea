import { compareVersions, type Reader } from '../../model/version.ts';
import type { OrderRules } from '../opencode/rules.ts';

/** The last release that mints v1 ids (MiMo-Code #2127: its users still wedge). */
const lastV1 = '0.1.12';

/**
 * The rules of a MiMo-Code build. Every build known orders by id: the change to order by time (#2125) was not merged.
 * `session.version` is the version that began a session, so v2 ids in the store speak louder than it; a reader named by a
 * person speaks loudest.
 */
export function mimocodeRules(reader: Reader, storeHoldsV2: boolean): OrderRules {
  const newer = reader.version !== null && compareVersions(reader.version, lastV1) > 0;
  const mintsV2 = newer || (reader.source !== 'option' && storeHoldsV2);
  return { order: 'id', mints: mintsV2 ? 'v2' : 'v1' };
}
