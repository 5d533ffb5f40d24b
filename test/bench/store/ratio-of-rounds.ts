import { median } from '../hub/median.ts';

/** The median of the ratios of rounds that were run side by side: what disturbed the machine disturbed both. */
export function ratioOfRounds<Round>(
  ours: readonly Round[],
  theirs: readonly Round[],
  ratio: (our: Round, their: Round) => number,
): number {
  return median(ratiosOfRounds(ours, theirs, ratio));
}

/** Each round's ratio, in the order in which they were run. */
export function ratiosOfRounds<Round>(
  ours: readonly Round[],
  theirs: readonly Round[],
  ratio: (our: Round, their: Round) => number,
): number[] {
  return ours.flatMap((our, round) => {
    const their = theirs[round];
    return their === undefined ? [] : [ratio(our, their)];
  });
}
