/** The box that holds a design system, in the scheme that its control says. */
export const WITH_SCHEME = `
  :host { display: block; }
  .box { padding: 16px; border-radius: 8px; }
  .box[data-scheme='light'] { color-scheme: light; }
  .box[data-scheme='dark'] { color-scheme: dark; }
  .box[data-bs-theme] { color: var(--bs-body-color); background: var(--bs-body-bg); font: 1rem/1.5 var(--bs-font-sans-serif); }
  input, button { box-sizing: border-box; }
  form { display: grid; gap: 8px; justify-items: start; }
  label { inline-size: 100%; max-inline-size: 28rem; }
`;

/** A dark scheme of Material 3, by its baseline palette; light is what the recipe itself falls back to. */
export const MATERIAL_SHEET = `
  .box { background: #fef7ff; color: #1d1b20; font-family: Roboto, system-ui, sans-serif; }
  .box[data-scheme='dark'] {
    --md-sys-color-primary: #d0bcff;
    --md-sys-color-on-primary: #381e72;
    --md-sys-color-tertiary: #efb8c8;
    --md-sys-color-error: #f2b8b5;
    --md-sys-color-surface-container-high: #2b2930;
    --md-sys-color-on-surface: #e6e0e9;
    --md-sys-color-outline: #938f99;
    --md-sys-color-outline-variant: #49454f;
    background: #141218;
    color: #e6e0e9;
  }
  label { display: grid; gap: 4px; margin-block-end: 16px; font-size: 14px; }
  input {
    min-block-size: 48px; padding: 0 16px; font: inherit; font-size: 16px; color: inherit; background: transparent;
    border: 1px solid var(--md-sys-color-outline, #79747e); border-radius: 4px;
  }
`;

/** Fluent 2's variables as webLightTheme and webDarkTheme have them, and a form that uses them. */
export const FLUENT_SHEET = `
  .box {
    --colorNeutralForeground1: light-dark(#242424, #fff);
    --colorNeutralBackground1: light-dark(#fff, #292929);
    --colorNeutralBackground1Hover: light-dark(#f5f5f5, #3d3d3d);
    --colorNeutralStrokeAccessible: light-dark(#616161, #adadad);
    --colorNeutralForegroundOnBrand: #fff;
    --colorBrandForeground1: light-dark(#0f6cbd, #479ef5);
    --colorBrandBackground: light-dark(#0f6cbd, #115ea3);
    --colorStatusWarningForeground3: light-dark(#bc4b09, #f98845);
    --colorStatusDangerForeground1: light-dark(#b10e1c, #dc626d);
    --shadow64: 0 0 8px rgb(0 0 0 / 16%), 0 32px 64px rgb(0 0 0 / 20%);
    --borderRadiusMedium: 4px;
    --borderRadiusXLarge: 8px;
    --fontFamilyBase: 'Segoe UI', 'Segoe UI Web (West European)', Roboto, 'Helvetica Neue', sans-serif;
    --fontSizeBase300: 14px;
    --lineHeightBase300: 20px;
    --fontWeightSemibold: 600;
    background: var(--colorNeutralBackground1);
    color: var(--colorNeutralForeground1);
    font: var(--fontSizeBase300) / var(--lineHeightBase300) var(--fontFamilyBase);
  }
  label { display: grid; gap: 4px; margin-block-end: 12px; }
  input, form button {
    min-block-size: 32px; padding: 5px 12px; font: inherit; color: inherit; background: transparent;
    border: 1px solid var(--colorNeutralStrokeAccessible); border-radius: var(--borderRadiusMedium);
  }
  form button {
    font-weight: var(--fontWeightSemibold); color: var(--colorNeutralForegroundOnBrand);
    background: var(--colorBrandBackground); border-color: transparent;
  }
`;
