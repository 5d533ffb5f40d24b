import { median } from '../hub/median.ts';
import { markdownTable, ratioText } from './markdown-table.ts';
import { ratiosOfRounds } from './ratio-of-rounds.ts';
import type { ReportPart } from './report-part.ts';
import type { ScriptCost, ScriptFindings } from './script-costs.ts';
import { FREE_CLAIM } from './script-steps.ts';

/** A claim of ours against the founding one. Reported, not enforced. */
const AIM = 3;

export function scriptReport({ founding, fourLines, ours, before }: ScriptFindings): ReportPart {
  const ratios = (cost: ScriptCost, floor: ScriptCost) =>
    ratiosOfRounds(cost.us, floor.us, (our, their) => our / their);
  const row = (cost: ScriptCost, suffix = '') => {
    const all = ratios(cost, founding);
    const times = median(all);
    const range = `${ratioText(Math.min(...all))} – ${ratioText(Math.max(...all))}`;
    const hasAim = cost.label === FREE_CLAIM.label && suffix === '';
    const aim = hasAim ? `≤ ${AIM}: ${times <= AIM ? 'reached' : '**missed**'}` : '–';
    const withoutIndex = ratioText(median(ratios(cost, fourLines)));
    return [cost.label + suffix, `${ratioText(times)} (${range})`, withoutIndex, aim];
  };
  const raw = [founding, fourLines, ...ours].map((cost) => {
    const commands = commandsOf(cost);
    const inside = commands.reduce((sum, { us }) => sum + us, 0);
    const lua = Math.max(0, quietest(cost) - inside);
    const list = commands.map(
      ({ name, calls, us }) => `${calls === 1 ? '' : `${calls} × `}${name.toUpperCase()} ${us.toFixed(1)}`,
    );
    return [cost.label, `${median(cost.us).toFixed(1)} µs`, `${lua.toFixed(1)} µs`, list.join(', ')];
  });
  return {
    comparisons: ours.map((cost) => ({
      against: 'the founding claim',
      measure: cost.label,
      ratio: median(ratios(cost, founding)),
      better: 'below',
    })),
    ratios: [
      '### What a step costs inside Redis',
      'One EVALSHA, as `INFO commandstats` times it, against the claim that this project began with (takes a free lock or extends the holder’s own, and an index beside it: no fence, no sessions, no news, no deadline, the application’s clock). **Below 1 would be cheaper.**',
      markdownTable(
        [
          '',
          'times the founding claim (least – most of a round)',
          'times its four lines without the index',
          'aim',
        ],
        [...ours.map((cost) => row(cost)), ...before.map((cost) => row(cost, ' (before)'))],
      ),
    ].join('\n\n'),
    raw: [
      'Inside Redis, microseconds per EVALSHA; then, of the quietest batches, what Lua itself took and what each command did.',
      markdownTable(['', 'median', 'Lua', 'commands'], raw),
    ].join('\n\n'),
  };
}

/** The mean EVALSHA of the batches whose commands are listed. */
function quietest({ commands }: ScriptCost): number {
  const all = commands.map((batch) => batch.get('evalsha'));
  return (
    all.reduce((sum, cost) => sum + (cost?.us ?? 0), 0) /
    all.reduce((sum, cost) => sum + (cost?.calls ?? 0), 0)
  );
}

/** Per EVALSHA, dearest first. */
function commandsOf({ commands }: ScriptCost) {
  const scripts = commands.reduce((sum, batch) => sum + (batch.get('evalsha')?.calls ?? 0), 0);
  const names = new Set(commands.flatMap((batch) => [...batch.keys()]));
  return [...names]
    .filter((name) => !name.startsWith('config') && name !== 'evalsha' && name !== 'info')
    .map((name) => {
      const all = commands.map((batch) => batch.get(name));
      const calls = all.reduce((sum, cost) => sum + (cost?.calls ?? 0), 0) / scripts;
      return { name, calls, us: all.reduce((sum, cost) => sum + (cost?.us ?? 0), 0) / scripts };
    })
    .sort((one, other) => other.us - one.us);
}
