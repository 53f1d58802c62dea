import type { ScanResult } from '../model/finding.ts';
import { count } from './printable.ts';

/** One line: what was found where, `2 errors, 1 warning in 3 stores`; of an audit `nothing new in 3 stores, 1 known`. */
export function verdictLine(result: Pick<ScanResult, 'summary' | 'stores' | 'errors' | 'baseline'>): string {
  const { error, warning, info } = result.summary;
  const parts = [error > 0 ? count(error, 'error') : '', warning > 0 ? count(warning, 'warning') : '', info > 0 ? count(info, 'remark') : ''].filter((part) => part !== '');
  const { baseline } = result;
  const found = parts.length > 0 ? `${parts.join(', ')}${baseline ? ' new' : ''}` : baseline ? 'nothing new' : 'nothing found';
  const unread = result.errors.length > 0 ? `; ${count(result.errors.length, 'place')} could not be read` : '';
  return `${found} in ${count(result.stores.length, 'store')}${baseline ? `, ${knownWords(baseline)}` : ''}${unread}`;
}

/** What a baseline keeps out of sight: `2 known, 1 accepted`; `0 known` when there is nothing. */
export function knownWords(baseline: NonNullable<ScanResult['baseline']>): string {
  const total = (of: ScanResult['summary']): number => of.error + of.warning + of.info;
  const accepted = total(baseline.accepted);
  const known = total(baseline.known);
  return [...(known > 0 || accepted === 0 ? [`${known} known`] : []), ...(accepted > 0 ? [`${accepted} accepted`] : [])].join(', ');
}

/** How bad it is, in a sentence or two, for the version that reads the stores. */
export function verdictSentence(result: Pick<ScanResult, 'summary' | 'stores' | 'errors' | 'findings'>): string {
  const { error, warning } = result.summary;
  const these = result.stores.length === 1 ? 'this store' : 'these stores';
  const errors = result.findings.filter((finding) => finding.severity === 'error');
  if (error > 0) {
    const mended = errors.every((finding) => finding.checkId === 'index/corrupt' && result.stores.find((store) => store.id === finding.store)?.product === 'hermes');
    return mended ? 'A file is broken that the product writes anew from its database. Nothing is lost.' : `Data is lost or out of reach now, for the version that reads ${these}.`;
  }
  if (warning > 0) return `Nothing is known to be lost for the version that reads ${these}. What is below is unexplained, will bite later, or harms other versions.`;
  return result.errors.length > 0 ? 'What could be read is in order.' : 'Everything that was read is in order.';
}
