import { describe, expect, it } from 'vitest';
import { firstAid } from '../../src/report/first-aid.ts';
import { everyKind, finding, healthyStore, hermesStore, mimoStore, openclawStore, opencodeStore, result } from '../helpers/results.ts';

describe('first aid', () => {
  it('says nothing about healthy stores and remarks', () => {
    expect(firstAid(result([healthyStore], []))).toEqual([]);
    expect(firstAid(result([opencodeStore], [finding(opencodeStore, { checkId: 'order/wedged-session', severity: 'info' })]))).toEqual([]);
  });

  it('speaks of each store with findings, in the order of the report', () => {
    expect(firstAid(everyKind()).map((aid) => aid.store)).toEqual([mimoStore.id, openclawStore.id, opencodeStore.id, hermesStore.id]);
  });

  it.each([
    ['a newer MiMo-Code deletes the evidence: copy before the next start', mimoStore, { checkId: 'history/dropped-messages', evidence: { droppedMessages: 18 } }, [/^Copy mimocode\.db with its -wal before the next start.*18 messages/]],
    ['opencode keeps it: no haste', opencodeStore, { checkId: 'history/dropped-messages', evidence: { droppedMessages: 1 } }, [/^Copy the database.*1 message is only there/]],
    ['an armed revert: do not prompt, then upgrade', opencodeStore, { checkId: 'order/armed-revert', session: 'ses_1', evidence: { rowsDeletedByIdOrder: 10, rowsAfterRevertByTime: 4 } }, [/^Do not prompt in ses_1.*10 rows where 4/, /^Upgrade to opencode 1\.18\.15/]],
    ['a wedged session: upgrade, prompts are stored', opencodeStore, { checkId: 'order/wedged-session', session: 'ses_1', evidence: { unansweredPrompts: 2 } }, [/^Upgrade to opencode 1\.18\.15 or later.*2 prompts wait unanswered in ses_1/]],
    ['a wedged session that this MiMo-Code wedges: upgrade', mimoStore, { checkId: 'order/wedged-session', session: 'ses_1', evidence: { unansweredPrompts: 1 } }, [/^Upgrade to a MiMo-Code later than 0\.1\.12.*1 prompt waits unanswered in ses_1; after that, send them once more/]],
    ['a wedged session that a newer MiMo-Code reads: no upgrade', mimoStore, { checkId: 'order/wedged-session', severity: 'warning', session: 'ses_1', evidence: { unansweredPrompts: 2 } }, [/^This MiMo-Code answers new prompts, but 2 older prompts in ses_1/]],
    ['an armed revert that every MiMo-Code would carry out: no upgrade', mimoStore, { checkId: 'order/armed-revert', session: 'ses_1' }, [/^Do not prompt in ses_1/]],
    ['an orphaned watermark: leave it running', openclawStore, { checkId: 'watermark/orphaned', evidence: { hiddenRows: 112, reason: 'unbound' } }, [/^Leave the OpenClaw gateway running.*112 group messages.*upgrade to 2026\.7\.1 or later\.$/]],
    ['a watermark that later builds honour as well: no upgrade', openclawStore, { checkId: 'watermark/orphaned', evidence: { hiddenRows: 1, reason: 'row-missing' } }, [/1 group message\. Stop it only for the repair\.$/]],
    ['a watermark that this build ignores: no alarm, no going back', openclawStore, { checkId: 'watermark/orphaned', severity: 'warning', evidence: { hiddenRows: 61, reason: 'foreign-session' } }, [/^Do not go back to an OpenClaw before 2026\.7\.1: it would hide 61 group messages.*leave the gateway running/]],
    ['an end that another zone explains: ask for the zone', openclawStore, { checkId: 'reset/unexplained', severity: 'warning', sessionKey: 'agent:main:main:x', evidence: { matchingZone: 'America/Chicago' } }, [/doctor --fix.*America\/Chicago would explain/]],
    ['a broken index: stop', openclawStore, { checkId: 'index/corrupt' }, [/^Stop the OpenClaw gateway now/]],
    ['a broken mirror that is written anew: leave running', hermesStore, { checkId: 'index/corrupt' }, [/^Leave Hermes Agent running/]],
    ['a broken mirror of an empty table: nothing is urgent', hermesStore, { checkId: 'index/corrupt', evidence: { routesInTable: 0 } }, [/^Nothing is urgent/]],
    ['damage: do not start', hermesStore, { checkId: 'db/corrupt' }, [/^Do not start Hermes Agent on state\.db/]],
    ['nothing urgent, a repair', hermesStore, { checkId: 'session/counter-drift', severity: 'warning', fix: { id: 'recount', class: 'safe' } }, [/^Nothing is urgent: leave Hermes Agent running\. Stop it only for the repair\.$/]],
    ['nothing urgent, no repair', hermesStore, { checkId: 'session/parent-cycle', severity: 'warning' }, [/^Nothing is urgent: leave Hermes Agent running\.$/]],
  ] as const)('%s', (_name, store, draft, wanted) => {
    const [aid] = firstAid(result([store], [finding(store, draft)]));
    const texts = aid?.steps.map((step) => step.text) ?? [];
    expect(texts).toHaveLength(wanted.length);
    for (const [index, pattern] of wanted.entries()) expect(texts[index]).toMatch(pattern);
  });

  it('puts what the next start destroys before what the next prompt does, and the upgrade last', () => {
    const aid = firstAid(
      result([mimoStore], [
        finding(mimoStore, { checkId: 'order/wedged-session', session: 's', evidence: { unansweredPrompts: 1 } }),
        finding(mimoStore, { checkId: 'order/armed-revert', session: 's' }),
        finding(mimoStore, { checkId: 'history/dropped-messages', session: 's' }),
      ]),
    )[0];
    expect(aid?.steps.map((step) => step.because[0])).toEqual(['history/dropped-messages', 'order/armed-revert', 'order/wedged-session']);
  });
});
