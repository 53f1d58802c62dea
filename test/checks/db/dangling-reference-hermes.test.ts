import { hermesCases } from '../../helpers/hermes-cases.ts';

hermesCases('db/dangling-reference', [
  ['prompts that are not stored', (store) => { store.session({ id: 'a', promptHash: 'h1' }); store.session({ id: 'b', promptHash: 'h1' }); }, [{ severity: 'info', evidence: { column: 'system_prompt_hash', sessions: ['a', 'b'] } }]],
  ['a prompt that is stored', (store) => { store.db.exec("INSERT INTO system_prompts VALUES ('h1', 'be kind')"); store.session({ id: 'a', promptHash: 'h1' }); }, []],
  ['markers that name a pruned session', (store) => void store.session({ id: 'a', config: '{"_reset_from":"pruned"}' }), []],
]);
