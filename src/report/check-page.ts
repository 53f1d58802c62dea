import type { Product } from '../model/product.ts';

/** A block of a check's page. Items and text may hold `code`. */
export type PageBlock = { kind: 'text'; text: string } | { kind: 'list'; ordered: boolean; items: string[] } | { kind: 'code'; text: string };

/** What a report takes from docs/checks/<id>.md: its first paragraph and what to do. */
export type CheckPage = { meaning: PageBlock[]; whatToDo: PageBlock[] };

/** Reads a check's page. Sections that are missing give no blocks. */
export function parseCheckPage(markdown: string): CheckPage {
  const sections = new Map<string, string[]>();
  let name = '';
  for (const line of markdown.split(/\r?\n/)) {
    const heading = /^##? (.+)$/.exec(line);
    if (heading?.[1] !== undefined) name = line.startsWith('# ') ? '' : heading[1].toLowerCase();
    else sections.set(name, [...(sections.get(name) ?? []), line]);
  }
  const lead = blocksOf(sections.get('') ?? []);
  const isFacts = (block: PageBlock): boolean => block.kind === 'text' && block.text.startsWith('**Severity**');
  const whatToDo = blocksOf(sections.get('what to do') ?? []);
  return { meaning: lead.filter((block) => !isFacts(block)), whatToDo: whatToDo.length > 0 ? whatToDo : lead.filter(isFacts).flatMap(adviceOfFix) };
}

/** How pages address the users of one product at the beginning of a paragraph, `Hermes: …`. */
const addressed: Record<string, Product> = { OpenClaw: 'openclaw', opencode: 'opencode', 'MiMo-Code': 'mimocode', Hermes: 'hermes' };

/** The blocks that concern a product: a paragraph that begins with the name of another one is left out. */
export function blocksFor(blocks: readonly PageBlock[], product: Product): PageBlock[] {
  return blocks.flatMap((block): PageBlock[] => {
    if (block.kind !== 'text') return [block];
    const [name, rest] = [/^([\w-]+): /.exec(block.text)?.[1], block.text.replace(/^[\w-]+: /, '')];
    const to = name === undefined ? undefined : addressed[name];
    if (to === undefined) return [block];
    return to === product ? [{ kind: 'text', text: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` }] : [];
  });
}

/** What a page without a section of its own says beside the name of its fix: `**Fix** recount (safe): the counters are set` → `The counters are set`. */
function adviceOfFix(facts: PageBlock): PageBlock[] {
  const fix = facts.kind === 'text' ? /\*\*Fix\*\* (.*)$/.exec(facts.text)?.[1] : undefined;
  const advice = fix?.replace(/^`?[a-z]+(?:-[a-z]+)*`?(?: \([^)]*\))?[.,;:]\s*/, '') ?? '';
  return advice === '' ? [] : [{ kind: 'text', text: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}` }];
}

function blocksOf(lines: readonly string[]): PageBlock[] {
  const blocks: PageBlock[] = [];
  let fenced: string[] | null = null;
  let open = false; // the last block goes on in the next line
  for (const line of lines) {
    if (line.startsWith('```')) {
      if (fenced === null) fenced = [];
      else {
        blocks.push({ kind: 'code', text: fenced.join('\n') });
        fenced = null;
      }
      open = false;
      continue;
    }
    if (fenced !== null) {
      fenced.push(line);
      continue;
    }
    if (line.trim() === '') {
      open = false;
      continue;
    }
    const item = /^(?:[-*]|(\d+)\.)\s+(.*)$/.exec(line);
    const last = blocks.at(-1);
    if (item) {
      const ordered = item[1] !== undefined;
      if (last?.kind === 'list' && last.ordered === ordered) last.items.push(item[2] ?? '');
      else blocks.push({ kind: 'list', ordered, items: [item[2] ?? ''] });
    } else if (open && last?.kind === 'text') {
      last.text += ` ${line.trim()}`;
    } else if (open && last?.kind === 'list') {
      last.items.push(`${last.items.pop() ?? ''} ${line.trim()}`);
    } else {
      blocks.push({ kind: 'text', text: line.trim() });
    }
    open = true;
  }
  return blocks;
}
