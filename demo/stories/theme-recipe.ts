/** The style sheet under a heading of docs/theming.md: what is shown is what the guide says. */
export async function themeRecipe(heading: string): Promise<string> {
  const { default: page } = await import('../../docs/theming.md?raw');
  const [, section = ''] = page.split(`\n### ${heading}\n`);
  const css = /^```css\n(.*?)^```$/ms.exec(section)?.[1];
  if (css === undefined) throw new Error(`docs/theming.md has no recipe for ${heading}.`);
  return css;
}
