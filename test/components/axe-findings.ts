import axe from 'axe-core';

/**
 * What axe has against an element and all that it contains, shadow trees included; empty = nothing. A contrast that
 * axe could not measure counts as well: it would be none that was checked.
 */
export async function axeFindings(element: Element): Promise<readonly string[]> {
  const { violations, incomplete } = await axe.run(element, { resultTypes: ['violations', 'incomplete'] });
  return [...violations, ...incomplete.filter(({ id }) => id === 'color-contrast')].flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary ?? ''}`),
  );
}
