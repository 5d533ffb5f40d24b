/** A table in Markdown; Prettier makes it straight. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function ratioText(ratio: number): string {
  return ratio.toFixed(2);
}

export function thousands(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}
