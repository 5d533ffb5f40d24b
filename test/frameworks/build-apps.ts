import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { copyFile, cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type PluginOption } from 'vite';

const SOURCES = fileURLToPath(new URL('apps/', import.meta.url));

const isLockElement = (tag: string): boolean => tag.startsWith('lock-') || tag.startsWith('locked-');

/** The applications, and what vite needs for each; null = a page with a script tag, which nobody builds. */
export const APPS: Readonly<Record<string, (() => PluginOption) | null>> = {
  react: () => react(),
  vue: () => vue({ template: { compilerOptions: { isCustomElement: isLockElement } } }),
  svelte: () => svelte({ configFile: false }),
  htmx: () => [],
  bare: null,
};

/** Builds every application in a folder in which `rowlock` is installed. Answers where each of them is. */
export async function buildApps(folder: string): Promise<Readonly<Record<string, string>>> {
  await cp(SOURCES, `${folder}/apps`, { recursive: true });
  const built: Record<string, string> = {};
  for (const [name, plugins] of Object.entries(APPS)) {
    const root = `${folder}/apps/${name}`;
    built[name] = plugins === null ? root : `${root}/dist`;
    if (plugins === null) {
      await copyFile(`${folder}/node_modules/rowlock/dist/cdn/rowlock.js`, `${root}/rowlock.js`);
      continue;
    }
    await build({
      root,
      base: './',
      configFile: false,
      logLevel: 'error',
      plugins: [plugins()],
      // React's strict mode mounts twice in its development build alone.
      ...(name === 'react' && { define: { 'process.env.NODE_ENV': '"development"' } }),
      build: { target: 'es2022', minify: false, reportCompressedSize: false, chunkSizeWarningLimit: 2_000 },
    });
  }
  return built;
}
