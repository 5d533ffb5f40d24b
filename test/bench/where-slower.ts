/** One number of ours against that of somebody else. */
export interface Comparison {
  readonly against: string;
  /** What was compared, in the words of its table. */
  readonly measure: string;
  /** As the table shows it. */
  readonly ratio: number;
  /** On which side of 1 ours is better. */
  readonly better: 'above' | 'below';
}

/**
 * A paragraph that names every peer that is better than ours in something, with the ratio as its table shows it: whoever
 * reads only the beginning of a report must not miss it.
 */
export function whereSlower(comparisons: readonly Comparison[]): string {
  const lost = comparisons.filter(({ ratio, better }) => {
    const shown = Number(ratio.toFixed(2));
    return better === 'above' ? shown < 1 : shown > 1;
  });
  if (lost.length === 0) return 'In nothing measured here is ours behind.';
  const peers = [...new Set(lost.map(({ against }) => against))];
  const lines = peers.map((peer) => {
    const items = lost.filter(({ against }) => against === peer);
    return `- ${peer}: ${items.map(({ measure, ratio }) => `${measure} ${ratio.toFixed(2)}`).join(', ')}`;
  });
  return `**Ours is behind (slower, or takes more) in ${lost.length} of ${comparisons.length} comparisons:**\n\n${lines.join('\n')}`;
}
