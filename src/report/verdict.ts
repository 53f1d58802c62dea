import type { ScanResult } from '../model/finding.ts';
import { count } from './printable.ts';

/** One line: what was found where, `2 errors, 1 warning in 3 stores`. */
export function verdictLine(result: Pick<ScanResult, 'summary' | 'stores' | 'errors'>): string {
  const { error, warning, info } = result.summary;
  const parts = [error > 0 ? count(error, 'error') : '', warning > 0 ? count(warning, 'warning') : '', info > 0 ? count(info, 'remark') : ''].filter((part) => part !== '');
  const found = parts.length > 0 ? parts.join(', ') : 'nothing found';
  const unread = result.errors.length > 0 ? `; ${count(result.errors.length, 'place')} could not be read` : '';
  return `${found} in ${count(result.stores.length, 'store')}${unread}`;
}
