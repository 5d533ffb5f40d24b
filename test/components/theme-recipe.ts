/** The style sheet under a heading of docs/theming.md, as a reader would copy it. */
export async function themeRecipe(heading: string): Promise<string> {
  const page = await (await fetch('/docs/theming.md')).text();
  const [, section = ''] = page.split(`\n### ${heading}\n`);
  const css = /^```css\n(.*?)^```$/ms.exec(section)?.[1];
  if (css === undefined) throw new Error(`docs/theming.md has no recipe for ${heading}.`);
  return css;
}

/** Fluent 2's variables, of webLightTheme and webDarkTheme in @fluentui/tokens 1.0.0-alpha.24. */
export const FLUENT_TOKENS = {
  light: fluentTokens({
    colorNeutralForeground1: '#242424',
    colorNeutralBackground1: '#ffffff',
    colorNeutralBackground1Hover: '#f5f5f5',
    colorNeutralStrokeAccessible: '#616161',
    colorNeutralForegroundOnBrand: '#ffffff',
    colorBrandForeground1: '#0f6cbd',
    colorBrandBackground: '#0f6cbd',
    colorStatusWarningForeground3: '#bc4b09',
    colorStatusDangerForeground1: '#b10e1c',
    shadow64: '0 0 8px rgba(0,0,0,0.12), 0 32px 64px rgba(0,0,0,0.14)',
  }),
  dark: fluentTokens({
    colorNeutralForeground1: '#ffffff',
    colorNeutralBackground1: '#292929',
    colorNeutralBackground1Hover: '#3d3d3d',
    colorNeutralStrokeAccessible: '#adadad',
    colorNeutralForegroundOnBrand: '#ffffff',
    colorBrandForeground1: '#479ef5',
    colorBrandBackground: '#115ea3',
    colorStatusWarningForeground3: '#f98845',
    colorStatusDangerForeground1: '#dc626d',
    shadow64: '0 0 8px rgba(0,0,0,0.24), 0 32px 64px rgba(0,0,0,0.28)',
  }),
} as const;

/** A dark scheme of Material 3, by its baseline palette; the light one is @material/web's default. */
export const MATERIAL_DARK = declarations({
  'md-sys-color-primary': '#d0bcff',
  'md-sys-color-on-primary': '#381e72',
  'md-sys-color-tertiary': '#efb8c8',
  'md-sys-color-error': '#f2b8b5',
  'md-sys-color-surface': '#141218',
  'md-sys-color-surface-container-high': '#2b2930',
  'md-sys-color-on-surface': '#e6e0e9',
  'md-sys-color-outline': '#938f99',
  'md-sys-color-outline-variant': '#49454f',
});

function fluentTokens(colors: Readonly<Record<string, string>>): string {
  return declarations({
    ...colors,
    borderRadiusMedium: '4px',
    borderRadiusXLarge: '8px',
    fontFamilyBase: "'Segoe UI', 'Segoe UI Web (West European)', Roboto, 'Helvetica Neue', sans-serif",
    fontSizeBase300: '14px',
    lineHeightBase300: '20px',
    fontWeightSemibold: '600',
  });
}

function declarations(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');
}
