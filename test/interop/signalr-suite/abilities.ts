import { calling } from './calling.ts';
import { ending } from './ending.ts';
import { fallingBack } from './falling-back.ts';
import { starting } from './starting.ts';
import { streaming } from './streaming.ts';
import type { Step } from './scene.ts';

/** Everything that a client does over each transport in each protocol. */
export const ABILITIES: readonly Step[] = [...starting, ...calling, ...streaming, ...ending];

/** What a client does that has no transport of its own choice, in each protocol. */
export const CHOICES: readonly Step[] = fallingBack;

/** By name, for a world that is told by text what to do. */
export function stepNamed(name: string): Step {
  const step = [...ABILITIES, ...CHOICES].find((known) => known.name === name);
  if (step === undefined) throw new Error(`No step is named "${name}".`);
  return step;
}
