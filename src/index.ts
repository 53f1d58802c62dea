/**
 * Library API for scripts: find stores, scan them, and read the findings.
 *
 * ```ts
 * import { scan } from 'sessionfsck';
 * const result = await scan(['/home/me/.openclaw'], { zone: 'Europe/Berlin' });
 * for (const finding of result.findings) console.log(finding.checkId, finding.evidence);
 * ```
 */
export { discover, defaultPlaces } from './stores/discover.ts';
export { scan, scanStores, exitCodeOf, type FailOn, type ScanOptions } from './checks/scan.ts';
export { allChecks } from './checks/index.ts';
export type { CheckMeta } from './model/check.ts';
export type { Confidence, Evidence, Finding, FixClass, FixRef, Json, Location, ReadError, ScanResult, Severity, SkippedCheck, StoreReport } from './model/finding.ts';
export type { Layout, Product } from './model/product.ts';
export type { StoreRef } from './model/store.ts';
export type { Reader } from './model/version.ts';
export { FriendlyError, RefusedError, UnreadableError, UsageError } from './model/errors.ts';
