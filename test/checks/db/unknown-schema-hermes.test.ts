import { hermesCases } from '../../helpers/hermes-cases.ts';

hermesCases('db/unknown-schema', [
  ['newer than known', (store) => void store.session({ id: 'a' }), [{ severity: 'info', evidence: { version: '99', newestKnown: '31' } }], { shape: { version: 99 } }],
  ['the newest known', (store) => void store.session({ id: 'a' }), []],
  ['an old one', (store) => void store.session({ id: 'a' }), [], { shape: { version: 6, without: ['active', 'compacted', '_compressed_summary', 'message_uid', 'absorbed_message_uids'] } }],
]);
