import type { Command } from 'commander';
import { define as apply } from './apply.ts';
import { define as audit } from './audit.ts';
import { define as bundle } from './bundle.ts';
import { define as explain } from './explain.ts';
import { define as id } from './id.ts';
import { define as journals } from './journals.ts';
import { define as merge } from './merge.ts';
import { define as plan } from './plan.ts';
import { define as recover } from './recover.ts';
import { define as report } from './report.ts';
import { define as resets } from './resets.ts';
import { define as scan } from './scan.ts';
import { define as show } from './show.ts';
import { define as stores } from './stores.ts';
import { define as undo } from './undo.ts';
import { define as watermarks } from './watermarks.ts';
import { define as wraps } from './wraps.ts';

/** Each adds one subcommand, in the order in which --help lists them. What a command needs to work it imports when it runs. */
export const commands: readonly ((program: Command) => void)[] = [scan, stores, wraps, watermarks, resets, show, plan, apply, undo, journals, recover, audit, report, merge, bundle, explain, id];
