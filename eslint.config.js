import eslint from '@eslint/js';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import wc from 'eslint-plugin-wc';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const ELEMENTS = ['components/**/*.ts', 'demo/**/*.ts', 'test/components/**/*.ts'];

export default defineConfig(
  // The sample applications import the package as it is published; test/e2e/dist-types checks their types.
  // What samples of the documentation assume is declared for them alone; test/docs checks it with them.
  globalIgnores([
    'dist/',
    '.cache/',
    'node_modules/',
    'test/docs/assumed/',
    'test/frameworks/apps/',
    'test/frameworks/types/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // `async` says "returns a promise" to the reader and to a caller's catch, with or without an await inside.
      '@typescript-eslint/require-await': 'off',
      // Numbers read well in messages; objects, which print as [object Object], stay refused.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A loop that ends from inside says so with `while (true)`.
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ELEMENTS,
    extends: [lit.configs['flat/recommended'], wc.configs['flat/recommended'], litA11yRecommended()],
    settings: { wc: { elementBaseClasses: ['LitElement'] } },
  },
  {
    // The client half of the browser side is for applications without Lit, too.
    files: ['components/client/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(lit|@lit)(/|$)|^lit-', message: 'components/client is free of Lit.' }] },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // node:test's functions return promises that the runner itself awaits.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['test', 'it', 'describe', 'suite', 'skip', 'todo', 'only'],
            },
            // Synchronous; a typing in @open-wc/semantic-dom-diff makes a promise of it. `accessible()` is one.
            { from: 'package', package: 'chai', name: 'Equal' },
          ],
        },
      ],
      // chai's assertions are expressions: expect(x).to.be.true
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Commands print; so do the entry points that are started by hand, and what tests report.
    files: ['scripts/**', '*.mjs', '*.config.*', 'demo/**', 'test/**', 'conformance/main.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    rules: {
      // Their types come from JSDoc, and those of the tools they drive are partly `any`; tsc checks them (checkJs).
      ...Object.fromEntries(
        ['argument', 'assignment', 'call', 'member-access', 'return'].map((what) => [
          `@typescript-eslint/no-unsafe-${what}`,
          'off',
        ]),
      ),
      // A default value of a parameter already types it; JSDoc has no `const` assertions to name.
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      'no-undef': 'off',
    },
  },
);

/** The plugin has only a configuration of the old format. */
function litA11yRecommended() {
  return { plugins: { 'lit-a11y': litA11y }, rules: litA11y.configs.recommended.rules };
}
